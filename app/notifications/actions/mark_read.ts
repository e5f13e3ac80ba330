import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { NotificationNotFound } from '#app/notifications/exceptions'
import { inboxOf } from '#app/notifications/queries/inbox'

/** Keeps the time when the item was first read. @throws NotificationNotFound */
export async function markRead(email: string, id: number) {
  const item = await inboxOf(email).where('id', id).first()
  if (!item) throw new NotificationNotFound()
  await inboxOf(email, { unreadOnly: true })
    .where('id', id)
    .update({ readAt: toDatabaseTimestamp(DateTime.utc()) })
}
