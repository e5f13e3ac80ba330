import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import type BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { recipientList } from '#app/broadcasts/queries/recipient_list'
import Notification from '#app/notifications/models/notification'

/** A recipient with the outcome from the log. */
export interface ListedRecipient {
  id: number
  recipient: BroadcastRecipient
  /** Null if there is none, or no longer */
  entry: Pick<Notification, 'id' | 'status' | 'statusReason'> | null
}

export async function readRecipientPage(
  filter: Parameters<typeof recipientList>[0],
  page: Page,
  client?: TransactionClientContract
): Promise<ListedRecipient[]> {
  const recipients = await recipientList(filter, page, client)
  const ids = recipients.flatMap(({ notificationId }) => notificationId ?? [])
  const entries = await Notification.query({ client })
    .whereIn('id', ids)
    .select('id', 'status', 'statusReason')
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return recipients.map((recipient) => ({
    id: recipient.id,
    recipient,
    entry: byId.get(recipient.notificationId ?? 0) ?? null,
  }))
}
