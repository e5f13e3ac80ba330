import { type PlainRow, columnsOf, plainRows } from '#core/database/plain_rows'
import { RowSizes } from '#core/database/row_sizes'
import Notification from '#app/notifications/models/notification'

const SHOWN = [
  ...(['id', 'email', 'appCode', 'appName', 'type', 'subject', 'payload'] as const),
  ...(['bodyText', 'bodyHtml', 'status', 'statusReason', 'locale'] as const),
  ...(['readAt', 'archivedAt', 'snoozedUntil', 'createdAt', 'shownAt'] as const),
] satisfies (keyof PlainRow<Notification>)[]

/** Everything that an item shows, and whose it is. */
export type InboxItem = Pick<PlainRow<Notification>, (typeof SHOWN)[number]>

/** As the database names them. */
export const ITEM_COLUMNS = columnsOf(Notification, SHOWN)

export const itemSizes = new RowSizes('notifications', {
  texts: ['subject', 'status_reason', 'body_text', 'body_html'],
  json: ['payload'],
})

/** In any order, without those that do not exist or have left the inbox. */
export async function readInboxItems(ids: number[]): Promise<InboxItem[]> {
  if (ids.length === 0) return []
  const items = Notification.query().whereIn('id', ids).whereRaw('in_inbox = true')
  return plainRows(items.select(SHOWN))
}
