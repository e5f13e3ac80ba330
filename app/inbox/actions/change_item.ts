import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { type InboxChange, recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { requireFewChanges } from '#app/inbox/actions/require_few_changes'
import { itemsOf } from '#app/inbox/queries/inbox'
import { NotificationNotFound } from '#app/notifications/exceptions'

type ItemQuery = ReturnType<typeof itemsOf>

/** What a user does with an item (inbox.md#states). Repeating it has no effect. */
export interface ItemChange {
  kind: InboxChange
  /** Restricts the query to items that would change. */
  affects: (items: ItemQuery) => ItemQuery
  fields: (now: string) => Record<string, string | null>
}

const isNull = (column: string) => (items: ItemQuery) => items.whereNull(column)
const isSet = (column: string) => (items: ItemQuery) => items.whereNotNull(column)

/** Keeps the time of the first reading. */
export const READ: ItemChange = {
  kind: 'read',
  affects: isNull('readAt'),
  fields: (now) => ({ read_at: now }),
}

export const UNREAD: ItemChange = {
  kind: 'unread',
  affects: isSet('readAt'),
  fields: () => ({ read_at: null }),
}

/** Ends the snooze, or the item would return. */
export const ARCHIVE: ItemChange = {
  kind: 'archived',
  affects: isNull('archivedAt'),
  fields: (now) => ({ archived_at: now, snoozed_until: null }),
}

export const UNARCHIVE: ItemChange = {
  kind: 'unarchived',
  affects: isSet('archivedAt'),
  fields: () => ({ archived_at: null }),
}

/** The item returns as an unread one, also from the archive. */
export const snooze = (until: DateTime): ItemChange => ({
  kind: 'snoozed',
  affects: (items) => items,
  fields: () => ({
    snoozed_until: toDatabaseTimestamp(until),
    read_at: null,
    archived_at: null,
  }),
})

export const WAKE: ItemChange = {
  kind: 'woken',
  affects: (items) => items.where('snoozedUntil', '>', toDatabaseTimestamp(DateTime.utc())),
  fields: () => ({ snoozed_until: null }),
}

/** @throws NotificationNotFound, RateLimited */
export function changeItem(email: string, id: number, change: ItemChange) {
  return transaction(async (trx) => {
    const item = () => itemsOf(email, trx).where('id', id)
    const now = toDatabaseTimestamp(DateTime.utc())
    const changed = Number(await change.affects(item()).update(change.fields(now)))
    if (changed > 0) {
      requireFewChanges(email)
      return recordInboxChange(email, change.kind, [id], trx)
    }
    if (!(await item().select('id').first())) throw new NotificationNotFound()
  })
}
