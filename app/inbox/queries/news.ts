import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import { MAX_ID } from '#core/values/identifiers'
import type { InboxChange } from '#app/delivery/actions/record_inbox_change'
import { SHOWN, inboxOf } from '#app/inbox/queries/inbox'
import { NewRows } from '#app/inbox/queries/new_rows'

const WOKEN_AT_A_TIME = 1_000

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

/** Up to `limit` visible items that appeared at or after a time, the oldest first. */
export async function itemsSince(
  email: string,
  since: number,
  after: ItemAt | null,
  limit: number
): Promise<ItemAt[]> {
  const query = inboxOf(email).whereRaw(`${SHOWN} >= ?`, [timestamp(after?.at ?? since)])
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

/**
 * Items whose snooze ended after `since`, at `until` at the latest, in pages.
 * @param email of one user
 */
export async function* wokenBetween(
  since: number,
  until: number,
  email?: string
): AsyncGenerator<(ItemAt & { email: string })[]> {
  for (let after = { at: since, id: MAX_ID }, hasMore = true; hasMore;) {
    const query = db
      .from('notifications')
      .whereRaw('in_inbox = true')
      .whereBetween('snoozed_until', [timestamp(after.at), timestamp(until)])
      .whereRaw('(snoozed_until, id) > (?, ?)', [timestamp(after.at), after.id])
    if (email !== undefined) query.where({ email })
    const rows: { id: number; email: string; at: unknown }[] = await query
      .orderByRaw('snoozed_until, id')
      .limit(WOKEN_AT_A_TIME)
      .select('id', 'email', 'snoozed_until as at')
    const woken = rows.map(({ at, ...row }) => ({ ...row, at: millisOf(at) }))
    hasMore = woken.length === WOKEN_AT_A_TIME
    after = woken.at(-1) ?? after
    yield woken
  }
}
