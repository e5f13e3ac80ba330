import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { announceInboxNews } from '#app/delivery/inbox_news'

/** `appeared` is for items that were stored earlier; others appear when they are stored. */
export const INBOX_CHANGES = [
  ...(['appeared', 'read', 'unread'] as const),
  ...(['archived', 'unarchived', 'snoozed', 'woken'] as const),
]
export type InboxChange = (typeof INBOX_CHANGES)[number]

const ITEMS_PER_ROW = 500

/** Announces what happens to items of a user, with the commit (inbox.md#events). */
export async function recordInboxChange(
  email: string,
  kind: InboxChange,
  items: number[],
  trx: TransactionClientContract
) {
  const at = toDatabaseTimestamp(DateTime.utc())
  for (let start = 0; start < items.length; start += ITEMS_PER_ROW) {
    const some = JSON.stringify(items.slice(start, start + ITEMS_PER_ROW))
    await trx.table('inbox_changes').insert({ email, kind, items: some, at })
  }
  trx.after('commit', announceInboxNews)
}
