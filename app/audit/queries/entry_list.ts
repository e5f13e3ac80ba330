import type { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
import AuditEntry from '#app/audit/models/audit_entry'

/** Each of these has an index. */
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

const sizes = new RowSizes('audit_entries', ['state_before', 'state_after'])

/** The newest entry comes first. */
export async function readEntries(filter: EntryFilter, page: Page) {
  return sizedPage<AuditEntry>({
    found: await matchingEntries(filter, page),
    page,
    sizes,
    read: (ids) => AuditEntry.query().whereIn('id', ids),
  })
}

/** The ids of a page and one more, in descending order. */
export function matchingEntries({ visible, from, to, ...fields }: EntryFilter, page: Page) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const after = page.after ?? 0
  // The order of the indexes. Without a filter on their columns, the primary key is read backwards.
  const [order, isLater, position] =
    given.length > 0 || visible ? ['-id', '-id > ?', -after] : ['id desc', 'id < ?', after]
  return AuditEntry.query()
    .select('id')
    .where(Object.fromEntries(given))
    .if(visible, (query) => query.whereIn('applicationId', visible!))
    .if(from, (query) => query.where('at', '>=', toDatabaseTimestamp(from!)))
    .if(to, (query) => query.where('at', '<', toDatabaseTimestamp(to!)))
    .if(page.after, (query) => query.whereRaw(isLater, [position]))
    .orderByRaw(order)
    .limit(page.limit + 1)
}
