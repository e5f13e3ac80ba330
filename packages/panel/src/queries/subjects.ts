import type { components, paths } from '@concierge/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { PAGE_SIZE, type PageOfRows, usePages } from '@/api/paged'

const SEARCH = '/api/applications/{appCode}/access/search/subjects'

type Found = paths[typeof SEARCH]['post']['responses'][200]['content']['application/json']['data']

/** Someone who may do something, or would if an attribute came out in their favour. */
export interface Subject {
  email: string
  accessLevel: 'allowed' | 'view' | 'edit'
  source: components['schemas']['DecisionSource']
  /** What it depends on; null if they may now. */
  dependsOn: { condition: string; attribute: string } | null
}

export interface SubjectQuestion {
  permission: string
  level: 'view' | 'edit' | null
  resourceType: string | null
  resourceId: string | null
}

/** A page can be empty and have a next one; so many of them are read at once. */
const MOST_EMPTY_PAGES = 10

/** Everyone who may do something, a page at a time. Read again each time: it is never cached. */
export const useSubjects = (
  appCode: string,
  question: MaybeRefOrGetter<SubjectQuestion>,
  enabled: MaybeRefOrGetter<boolean>
) =>
  usePages(
    computed(() => ['access', appCode, 'subjects', toValue(question)]),
    async (cursor, signal) => {
      const ask = async (from: string | undefined) => {
        const body = { ...toValue(question), limit: PAGE_SIZE, ...(from && { cursor: from }) }
        const params = { path: { appCode } }
        return pageOf((await api.POST(SEARCH, { params, body, signal })).data!.data)
      }
      let page = await ask(cursor)
      for (let read = 1; read < MOST_EMPTY_PAGES; read++) {
        if (page.rows.length > 0 || page.next === null) break
        page = await ask(page.next)
      }
      return page
    },
    enabled
  )

function pageOf({ results, conditional, nextCursor, total }: Found): PageOfRows<Subject> {
  const certain = results.map((one): Subject => ({ ...one, dependsOn: null }))
  const others = conditional.map(({ email, accessLevel, source, condition, missing }): Subject => ({
    email,
    accessLevel,
    source,
    dependsOn: { condition, attribute: missing },
  }))
  const rows = [...certain, ...others].sort((a, b) => (a.email < b.email ? -1 : 1))
  // Only those who may now are counted.
  return { rows, next: nextCursor, total: others.length > 0 ? null : total }
}
