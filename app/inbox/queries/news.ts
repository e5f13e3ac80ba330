import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import type { InboxChange } from '#app/delivery/actions/record_inbox_change'
import { inboxOf } from '#app/inbox/queries/inbox'
import { NewRows } from '#app/inbox/queries/new_rows'
import Notification from '#app/notifications/models/notification'

/** An item with the time of what happened to it. */
export interface ItemAt {
  id: number
  at: number
}

export interface ChangeRow {
  id: number
  email: string
  kind: InboxChange
  items: number[]
  at: number
}

interface StoredArrival {
  id: number
  email: string
  in_inbox: boolean | number
  at: unknown
}

export const arrivalOf = ({ id, email, at }: StoredArrival) => ({ id, email, at: millisOf(at) })

export const newNotifications = () =>
  new NewRows<StoredArrival>({
    name: 'notifications',
    columns: 'id, email, in_inbox, coalesce(shown_at, created_at) as at',
    madeAt: 'created_at',
  })

type StoredChange = Omit<ChangeRow, 'items' | 'at'> & { items: unknown; at: unknown }

export const newChanges = () =>
  new NewRows<StoredChange>({
    name: 'inbox_changes',
    columns: 'id, email, kind, items, at',
    madeAt: 'at',
  })

/** PostgreSQL returns parsed JSON, SQLite text. */
export function changeOf({ id, email, kind, items, at }: StoredChange): ChangeRow {
  const parsed = typeof items === 'string' ? JSON.parse(items) : items
  return { id, email, kind, items: parsed as number[], at: millisOf(at) }
}

const millisOf = (value: unknown) => parseDatabaseTimestamp(value)!.toMillis()
const timestamp = (millis: number) =>
  toDatabaseTimestamp(DateTime.fromMillis(millis, { zone: 'utc' }))

const SHOWN = 'coalesce(shown_at, created_at)'

/** Up to `limit` visible items that appeared at or after a time, the oldest first. */
export async function itemsSince(
  email: string,
  since: number,
  after: ItemAt | null,
  limit: number
): Promise<ItemAt[]> {
  const query = inboxOf(email).whereRaw(`${SHOWN} >= ?`, [timestamp(since)])
  if (after) query.whereRaw(`(${SHOWN}, id) > (?, ?)`, [timestamp(after.at), after.id])
  const rows = await query
    .select('id', 'shownAt', 'createdAt')
    .orderByRaw(`${SHOWN}, id`)
    .limit(limit)
  return rows.map(({ id, shownAt, createdAt }) => ({ id, at: (shownAt ?? createdAt).toMillis() }))
}

export async function changesSince(
  email: string,
  since: number,
  after: number,
  limit: number
): Promise<ChangeRow[]> {
  const rows: StoredChange[] = await db
    .from('inbox_changes')
    .where('email', email)
    .where('at', '>=', timestamp(since))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select('id', 'email', 'kind', 'items', 'at')
  return rows.map(changeOf)
}

/** Items whose snooze ended after `since`, at `until` at the latest. @param email of one user */
export async function wokenBetween(since: number, until: number, email?: string) {
  const rows = await Notification.query()
    .where('snoozedUntil', '>', timestamp(since))
    .where('snoozedUntil', '<=', timestamp(until))
    .whereRaw('in_inbox = true')
    .if(email !== undefined, (query) => query.where('email', email!))
    .orderBy('snoozedUntil')
    .select('id', 'email', 'snoozedUntil')
  return rows.map((row) => ({ id: row.id, email: row.email, at: row.snoozedUntil!.toMillis() }))
}

export async function unreadCounts(emails: string[]): Promise<Map<string, number>> {
  const now = toDatabaseTimestamp(DateTime.utc())
  const rows: { email: string; total: number | string }[] = await db
    .from('notifications')
    .whereIn('email', emails)
    .whereRaw('in_inbox = true and archived_at is null and read_at is null')
    .whereRaw('(snoozed_until is null or snoozed_until <= ?)', [now])
    .groupBy('email')
    .select('email')
    .count('* as total')
  const totals = new Map(rows.map(({ email, total }) => [email, Number(total)]))
  return new Map(emails.map((email) => [email, totals.get(email) ?? 0]))
}

/** With everything that an item shows. */
export async function readItems(ids: number[]): Promise<Map<number, Notification>> {
  if (ids.length === 0) return new Map()
  const items = await Notification.query().whereIn('id', ids).whereRaw('in_inbox = true')
  return new Map(items.map((item) => [item.id, item]))
}
