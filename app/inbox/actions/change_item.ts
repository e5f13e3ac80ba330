import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { NotificationNotFound } from '#app/notifications/exceptions'
import { itemsOf } from '#app/inbox/queries/inbox'

type ItemQuery = ReturnType<typeof itemsOf>

/** What somebody does with an item (inbox.md#states). Nothing happens if it is done already. */
export interface ItemChange {
  /** Restricts the query to items that would change. */
  affects: (items: ItemQuery) => ItemQuery
  fields: (now: string) => Record<string, string | null>
}

const isNull = (column: string) => (items: ItemQuery) => items.whereNull(column)
const isSet = (column: string) => (items: ItemQuery) => items.whereNotNull(column)

/** Keeps the time of the first reading. */
export const READ: ItemChange = {
  affects: isNull('readAt'),
  fields: (now) => ({ read_at: now }),
}

export const UNREAD: ItemChange = {
  affects: isSet('readAt'),
  fields: () => ({ read_at: null }),
}

/** Ends a snooze: the item would otherwise return. */
export const ARCHIVE: ItemChange = {
  affects: isNull('archivedAt'),
  fields: (now) => ({ archived_at: now, snoozed_until: null }),
}

export const UNARCHIVE: ItemChange = {
  affects: isSet('archivedAt'),
  fields: () => ({ archived_at: null }),
}

/** The item returns as an unread one, also from the archive. */
export const snooze = (until: DateTime): ItemChange => ({
  affects: (items) => items,
  fields: () => ({
    snoozed_until: toDatabaseTimestamp(until),
    read_at: null,
    archived_at: null,
  }),
})

export const WAKE: ItemChange = {
  affects: isSet('snoozedUntil'),
  fields: () => ({ snoozed_until: null }),
}

/** @throws NotificationNotFound */
export async function changeItem(email: string, id: number, change: ItemChange) {
  const item = () => itemsOf(email).where('id', id)
  const now = toDatabaseTimestamp(DateTime.utc())
  const changed = Number(await change.affects(item()).update(change.fields(now)))
  if (changed === 0 && !(await item().select('id').first())) throw new NotificationNotFound()
}
