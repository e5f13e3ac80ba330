import type { DateTime } from 'luxon'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'

export interface EntryFields {
  /** The address of the user who made the change. */
  actorEmail?: string
  actorKind?: ActorKind
  action?: AuditAction
  /** A code, also of an application that no longer exists. */
  application?: string
  targetKind?: string
  targetId?: string
  /** The user whose access or record changed. */
  email?: string
}

export interface EntryFilter extends EntryFields {
  /** Ids; undefined for all applications and the platform. */
  visible?: number[]
  from?: DateTime
  /** Exclusive; `from` is inclusive. */
  to?: DateTime
}

/**
 * The columns of the fields, each with an index of sealed entries by time. First the one whose
 * values have the fewest entries, last the one whose values have the most.
 */
export const COLUMNS = {
  targetId: 'target_id',
  email: 'email',
  actorEmail: 'actor_email',
  application: 'application',
  action: 'action',
  targetKind: 'target_kind',
  actorKind: 'actor_kind',
} as const satisfies Record<keyof EntryFields, string>

/** Narrower than an application. */
const NARROW = new Set<string>([COLUMNS.targetId, COLUMNS.email, COLUMNS.actorEmail])

/** Of applications whose entries are searched one by one. Whoever sees more sees much of all. */
const MOST_APART = 100

/** The entries with a value in a column. They follow one another in its index, by time. */
export interface EntryRange {
  column: string
  value: string | number
}

/** The entries that match each field of a filter. */
export function rangesOf(filter: EntryFields): EntryRange[] {
  return Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = filter[name as keyof EntryFields]
    return value === undefined ? [] : [{ column, value }]
  })
}

/** Ranges that together have all entries that match. Null is the range of all entries. */
export function narrowestRanges({ visible, ...fields }: EntryFilter): (EntryRange | null)[] {
  const [narrowest = null] = rangesOf(fields)
  const isApart = visible !== undefined && visible.length <= MOST_APART
  if (!isApart || (narrowest && NARROW.has(narrowest.column))) return [narrowest]
  return visible.map((value) => ({ column: 'application_id', value }))
}
