import type { components, operations } from '@concierge/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { AS_CSV, type ExportedFile, csvFile } from '@/files/csv_file'
import { AFFECTED } from '@/queries/assignments'
import { replaceOverride } from '@/queries/overrides'
import { useChange } from '@/queries/use_change'
import { SOON_DAYS } from '@/ui/ending_soon'

/** A right that someone has, and who gave it. */
export type ReviewedRight = components['schemas']['ReviewedRight']

type Query = NonNullable<operations['audit.access_reviews.show']['parameters']['query']>

/** Users who have not signed in to the application for this many days may not need their rights. */
export const UNUSED_DAYS = 90

/** What makes a right worth a second look. */
export const MARKS = ['ending', 'ended', 'scheduled', 'inactive', 'unused'] as const
export type Mark = (typeof MARKS)[number]

const QUERIES: Record<Mark, Query> = {
  ending: { endsWithinDays: SOON_DAYS },
  ended: { state: 'ended' },
  scheduled: { state: 'scheduled' },
  inactive: { active: 'false' },
  unused: { noLoginForDays: UNUSED_DAYS },
}

export const SOURCES = ['role', 'override', 'app_admin', 'superadmin'] as const

/** An empty text does not count. */
export interface ReviewFilter {
  email: string
  source: string
  /** Codes. */
  role: string
  permission: string
  mark: string
}

const REVIEW = '/api/applications/{appCode}/access-review'

function queryOf({ email, source, role, permission, mark }: ReviewFilter): Query {
  const from = SOURCES.find((one) => one === source)
  const marked = MARKS.find((one) => one === mark)
  return {
    ...(email && { email }),
    ...(from && { source: from }),
    ...(role && { role }),
    ...(permission && { permission }),
    ...(marked && QUERIES[marked]),
  }
}

/** Every right in an application, by person, a page at a time. */
export const useReview = (appCode: string, filter: MaybeRefOrGetter<ReviewFilter>) =>
  usePagedQuery(
    computed(() => ['access', appCode, 'review', toValue(filter)]),
    async (page, signal) => {
      const query = { ...queryOf(toValue(filter)), ...page }
      const { data, response } = await api.GET(REVIEW, {
        params: { path: { appCode }, query },
        signal,
      })
      // The route also sends CSV and other text, but only if it is asked to.
      return { data: data as { data: ReviewedRight[] }, response }
    },
    true,
    { staleTime: 0, isCounted: false }
  )

/** All rights that match as a CSV file, in which nothing is a formula to a spreadsheet. */
export async function exportReview(appCode: string, filter: ReviewFilter): Promise<ExportedFile> {
  const { data } = await api.GET(REVIEW, {
    params: { path: { appCode }, query: queryOf(filter) },
    ...AS_CSV,
  })
  return { file: csvFile([data as string]), cutAfter: null }
}

/** What follows `concierge` to list the same. */
export function commandOf(appCode: string, filter: ReviewFilter): string[] {
  const { email, endsWithinDays, active, noLoginForDays, ...others } = queryOf(filter)
  return [
    'access-review',
    '--app',
    appCode,
    ...option('user', email),
    ...Object.entries(others).flatMap(([name, value]) => option(name, value)),
    ...option('ends-within', endsWithinDays),
    ...(active === 'false' ? ['--inactive'] : []),
    ...option('without-login-for', noLoginForDays),
  ]
}

interface Removal {
  email: string
  resourceType: string
  resourceId: string
  permissionId: number
}

/** Takes an override away; the others of the person on the resource stay. */
export const useRemoveOverride = (appCode: string, done: (email: string) => string) =>
  useChange(
    (target: Api, removal: Removal) =>
      replaceOverride(target, { ...removal, appCode, change: 'remove', accessLevel: null }),
    { refresh: AFFECTED, done: (_, { email }) => done(email) }
  )
