import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { addAttempts } from '#app/delivery/actions/add_attempts'
import Delivery from '#app/delivery/models/delivery'
import { attemptNow } from '#app/delivery/values/attempt_report'
import type Notification from '#app/notifications/models/notification'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

/**
 * Shows a bounce in the log: the mail has failed, and so has the notification unless another
 * channel delivered it (suppressions.md#bounces-in-the-log).
 *
 * @returns false, and changes nothing, if no mail is recorded for it, because it waits or was
 *   skipped
 */
export async function markBounced(
  notification: Notification,
  kind: BounceKind,
  text: string | null,
  trx: TransactionClientContract
): Promise<boolean> {
  notification.useTransaction(trx)
  const deliveries = await Delivery.query({ client: trx }).where('notificationId', notification.id)
  const mail = deliveries.find(({ channel }) => channel === 'email')
  if (mail === undefined) return false
  if (kind === 'complaint') {
    await notification.merge({ statusReason: 'COMPLAINT' }).save()
    return true
  }
  const [code] = /^[245]\d\d(?=[ -]|$)/.exec(text ?? '') ?? []
  const attempt = attemptNow('bounced', code === undefined ? null : Number(code), text)
  const result = {
    status: 'failed' as const,
    attempts: [attempt],
    providerMessageId: mail.providerMessageId,
    error: text ?? 'the mail came back',
  }
  await addAttempts({ notificationId: notification.id, channel: 'email' }, result, trx)
  const isDelivered = deliveries.some(
    ({ channel, status }) => channel !== 'email' && status === 'sent'
  )
  const statusReason = text === null ? 'BOUNCED' : `BOUNCED: ${text}`
  await notification.merge({ status: isDelivered ? 'sent' : 'failed', statusReason }).save()
  return true
}
