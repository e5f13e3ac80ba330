import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { requireFewChanges } from '#app/inbox/actions/require_few_changes'
import { inboxOf } from '#app/inbox/queries/inbox'

/** Rows per statement. */
const CHUNK = 5_000

/**
 * Marks all items as read, or those of one application, but none that is archived or snoozed.
 * @returns how many were unread
 * @throws RateLimited
 */
export function markAllRead(email: string, appCode?: string): Promise<number> {
  return transaction(async (trx) => {
    const readAt = toDatabaseTimestamp(DateTime.utc())
    const unread = () => inboxOf(email, { unreadOnly: true, appCode }, trx)
    let updated = 0
    for (;;) {
      const items = unread().select('id').orderBy('id').limit(CHUNK).forUpdate()
      const ids = (await items.pojo<{ id: number }>()).map(({ id }) => id)
      if (ids.length === 0) return updated
      requireFewChanges(email)
      await unread().whereIn('id', ids).update({ readAt })
      await recordInboxChange(email, 'read', ids, trx)
      updated += ids.length
    }
  })
}
