import { RowSizes } from '#core/database/row_sizes'
import DigestItem from '#app/delivery/models/digest_item'
import { type DigestContent, decryptDigestContent } from '#app/delivery/digests/digest_content'
import Notification from '#app/notifications/models/notification'
import type { DateTime } from 'luxon'
import sendingConfig from '#config/sending'

const { digestBytes, digestSize, digestShown } = sendingConfig

/** Their entries in the log are written with the digest, and again with its outcome. */
const entrySizes = new RowSizes('notifications', { texts: ['payload', 'body_text', 'body_html'] })

export interface ShownItem extends DigestContent {
  createdAt: DateTime
}

export interface WaitingItems {
  /** The notifications, the oldest first */
  ids: number[]
  /** Whether there may be more than fit into one digest */
  isFull: boolean
  /** What the mail shows of them, the newest first */
  shown: ShownItem[]
}

/** The contents are read only of those that are shown. */
export async function readDigestItems(digestId: number): Promise<WaitingItems> {
  const waiting = await DigestItem.query()
    .where({ digestId })
    .orderBy('notificationId')
    .limit(digestSize)
    .select('notificationId')
  const all = waiting.map(({ notificationId }) => notificationId)
  // At least one, however large it is.
  const ids = all.slice(0, Math.max(1, await entrySizes.fitting(all, digestBytes)))
  const latest = ids.slice(-digestShown).reverse()
  const [items, notifications] = await Promise.all([
    DigestItem.query().whereIn('notificationId', latest),
    Notification.query().whereIn('id', latest).select('id', 'subject', 'createdAt'),
  ])
  const contents = new Map(items.map((item) => [item.notificationId, item.content]))
  const entries = new Map(notifications.map((notification) => [notification.id, notification]))
  const shown = latest.flatMap((id) => {
    const [content, entry] = [contents.get(id), entries.get(id)]
    if (content === undefined || entry === undefined) return []
    const { subject, createdAt } = entry
    // Without its content, if it was encrypted with a key that is unknown now.
    const known = decryptDigestContent(content) ?? { subject, text: '', url: null }
    return [{ ...known, createdAt }]
  })
  return { ids, isFull: ids.length === digestSize || ids.length < all.length, shown }
}
