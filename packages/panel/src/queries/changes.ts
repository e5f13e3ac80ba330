import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import type { MaybeRefOrGetter } from 'vue'
import { toValue } from 'vue'
import { api, nextCursor } from '@/api/client'
import { option } from '@/api/commands'
import { beginOf } from '@/api/day_range'
import { usePagedQuery } from '@/api/paged'

/** One change, as the audit trail keeps it. */
export type Change = components['schemas']['AuditEntry']
export type ChangeAction = Change['action']
export type ActorKind = Change['actor']['kind']

/** Who makes changes, besides people. */
export const OTHER_ACTORS = [
  'server',
  'command',
  'provider',
  'system',
] as const satisfies ActorKind[]

/** What the list of changes is about and narrowed to. An empty text does not count. */
export interface ChangesFilter {
  /** The code of an application. */
  application: string
  /** Whom the change is about. */
  email: string
  action: string
  actorKind: string
  /** The address of who made it. */
  actor: string
  /** The first and the last day, as `2030-12-31` in the time zone of the browser. */
  from: string
  to: string
}

const ALL = '/api/admin/audit'
const PAGE = 200
/** More would keep the service busy for minutes. */
export const MOST_EXPORTED = 10_000

function queryOf({ application, email, action, actorKind, actor, from, to }: ChangesFilter) {
  return {
    ...(application && { application }),
    ...(email && { email }),
    ...(action && { action: action as ChangeAction }),
    ...(actorKind && { actorKind: actorKind as ActorKind }),
    ...(actor && { actor }),
    ...(from && { from: beginOf(from) }),
    ...(to && { to: beginOf(to, 1) }),
  }
}

/** Changes, the newest first, a page at a time. Others may be made at any time. */
export const useChanges = (filter: MaybeRefOrGetter<ChangesFilter>) =>
  usePagedQuery<Change>(
    () => ['changes', queryOf(toValue(filter))],
    async (page, signal) => {
      const query = { ...page, ...queryOf(toValue(filter)) }
      const { data, response } = await api.GET(ALL, { params: { query }, signal })
      // The route also sends CSV and other text, but only if it is asked to.
      return { data: data as { data: Change[] }, response }
    },
    true,
    { staleTime: 0 }
  )

/** What follows `concierge` to list the same. */
export function commandOf(filter: ChangesFilter): string[] {
  const { application, email, actorKind, ...others } = queryOf(filter)
  const words = ['audit', 'list', ...(application ? [application] : []), ...option('user', email)]
  if (actorKind) words.push(...option('actor-kind', actorKind))
  return words.concat(Object.entries(others).flatMap(([name, value]) => option(name, value)))
}

/** The changes that match as a CSV file, and whether there are more than it holds. */
export async function exportChanges(filter: ChangesFilter) {
  const parts: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null && parts.length * PAGE < MOST_EXPORTED) {
    const query = { ...queryOf(filter), limit: PAGE, ...(cursor && { cursor }) }
    const request = { params: { query }, headers: { accept: 'text/csv' }, parseAs: 'text' as const }
    const { data, response } = await api.GET(ALL, request)
    const text = data as string
    // Only the first page keeps its header line, and a page can be empty and have a next one.
    const rows = cursor ? text.slice(text.indexOf('\n') + 1) : text
    if (rows !== '') parts.push(rows)
    cursor = nextCursor(response)
  }
  // Spreadsheets take a file without a byte order mark for one in an old encoding.
  return {
    file: new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }),
    isCut: cursor !== null,
  }
}

/** The newest change in the chain, and the command that later verifies all changes up to it. */
export const useChainHead = (enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: ['changes', 'head'],
    enabled: () => toValue(enabled),
    async queryFn({ signal }) {
      const { data } = await api.GET('/api/admin/audit/head', { signal })
      const { sequence, hash } = data!.data
      const text = `${sequence}:${hash}`
      return { sequence, text, command: `node bin/console.js audit:verify --from-head=${text}` }
    },
  })
