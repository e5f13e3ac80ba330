import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import type { MaybeRefOrGetter } from 'vue'
import { toValue } from 'vue'
import { api } from '@/api/client'
import { option } from '@/api/commands'
import { beginOf } from '@/api/day_range'
import { usePagedQuery } from '@/api/paged'
import { AS_CSV, csvOfPages } from '@/files/csv_file'

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
    // Counting reads every entry that matches, and there can be millions.
    { staleTime: 0, isCounted: false }
  )

/** What follows `concierge` to list the same. */
export function commandOf(filter: ChangesFilter): string[] {
  const { application, email, actorKind, ...others } = queryOf(filter)
  const words = ['audit', 'list', ...(application ? [application] : []), ...option('user', email)]
  if (actorKind) words.push(...option('actor-kind', actorKind))
  return words.concat(Object.entries(others).flatMap(([name, value]) => option(name, value)))
}

/** The changes that match as a CSV file. */
export const exportChanges = (filter: ChangesFilter) =>
  csvOfPages((page) =>
    api.GET(ALL, { params: { query: { ...queryOf(filter), ...page } }, ...AS_CSV })
  )

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
