import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { inboxOf } from '#app/inbox/queries/inbox'

/**
 * Marks all items as read, or those of one application, but none that is archived or snoozed.
 * @returns how many were unread
 */
export async function markAllRead(email: string, appCode?: string): Promise<number> {
  const updated = await inboxOf(email, { unreadOnly: true, appCode }).update({
    readAt: toDatabaseTimestamp(DateTime.utc()),
  })
  return Number(updated)
}
