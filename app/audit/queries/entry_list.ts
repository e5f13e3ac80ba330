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

/** The ids of a page and one more: the newest first, or within a period, the latest. */
export function matchingEntries({ visible, from, to, ...fields }: EntryFilter, page: Page) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const { order, isLater, positions } = orderOf({
    isNarrowed: given.length > 0 || visible !== undefined,
    isPeriod: from !== undefined || to !== undefined,
  })
  return AuditEntry.query()
    .select('id')
    .where(Object.fromEntries(given))
    .if(visible, (query) => query.whereIn('applicationId', visible!))
    .if(from, (query) => query.where('at', '>=', toDatabaseTimestamp(from!)))
    .if(to, (query) => query.where('at', '<', toDatabaseTimestamp(to!)))
    .if(page.after, (query) => query.whereRaw(isLater, positions(page.after!)))
    .orderByRaw(order)
    .limit(page.limit + 1)
}

/** That of an index, so that a page reads no more than its entries. */
function orderOf({ isNarrowed, isPeriod }: { isNarrowed: boolean; isPeriod: boolean }) {
  if (isPeriod) {
    return {
      order: 'at desc, id desc',
      isLater: '(at, id) < ((select at from audit_entries where id = ?), ?)',
      positions: (id: number) => [id, id],
    }
  }
  // Without a filter, the primary key is read backwards.
  return isNarrowed
    ? { order: '-id', isLater: '-id > ?', positions: (id: number) => [-id] }
    : { order: 'id desc', isLater: 'id < ?', positions: (id: number) => [id] }
}
