import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { NotificationNotFound } from '#app/notifications/exceptions'
import { inboxOf } from '#app/notifications/queries/inbox'

/** Marks one item of the person's inbox read; when it was first read stays. @throws NotificationNotFound */
export async function markRead(email: string, id: number) {
  const item = await inboxOf(email).where('id', id).first()
  if (!item) throw new NotificationNotFound()
  await inboxOf(email, { unreadOnly: true })
    .where('id', id)
    .update({ readAt: toDatabase(DateTime.utc()) })
}

/** Marks all items read, or those of one application; answers how many were unread. */
export async function markAllRead(email: string, appCode?: string): Promise<number> {
  const updated = await inboxOf(email, { unreadOnly: true, appCode }).update({
    readAt: toDatabase(DateTime.utc()),
  })
  return Number(updated)
}
