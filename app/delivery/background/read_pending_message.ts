import type { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import Application from '#app/applications/models/application'
import { mayWait } from '#app/delivery/actions/defer_pending'
import { planFor } from '#app/delivery/actions/plan_for'
import { readRecipientsOnly } from '#app/delivery/actions/read_recipients'
import { notificationReference } from '#app/delivery/values/notification_reference'
import type { Channel } from '#app/delivery/models/delivery'
import type PendingSend from '#app/delivery/models/pending_send'
import { CHANNEL_ERRORS, type DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { type PendingContent, decryptContent } from '#app/delivery/values/pending_content'
import { hasRetryPeriodEnded } from '#app/delivery/values/send_retries'
import Notification from '#app/notifications/models/notification'
import NotificationType from '#app/notifications/models/notification_type'
import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'

const { maxClaims } = sendingConfig

export type PendingMessage =
  | { message: OutgoingMessage; channels: Channel[] }
  | { refused: DeliveryOutcome }
  /** Its recipient has quiet hours */
  | { until: DateTime }
  /** Another process may have the key of its content */
  | { isUnreadable: true }

/** Considers what was switched off, deleted or deactivated since the last round. */
export async function readPendingMessage(pending: PendingSend): Promise<PendingMessage> {
  const hasBegun = pending.retryHours === null
  const refused = (reason: string) => ({
    refused: failure(`${CHANNEL_ERRORS[pending.channels[0]]}: ${reason}`),
  })
  // A first round without an outcome is repeated, however late: its process may have died.
  if (hasBegun && pending.rounds > 0 && hasRetryPeriodEnded(pending.giveUpAt))
    return refused('the retry period ended before the next attempt')
  const mayRunAgain = pending.claims <= maxClaims
  const content = decryptContent(pending.content)
  if (!content && mayRunAgain) return { isUnreadable: true }
  if (!content) return refused('the stored message cannot be decrypted with the current APP_KEY')
  if (!mayRunAgain) return refused('several processes ended while they sent it')
  const [notification, application, type, user] = await Promise.all([
    Notification.findOrFail(pending.notificationId),
    Application.find(content.applicationId),
    NotificationType.find(content.typeId),
    User.find(content.userId),
  ])
  if (!application || !type) return refused('its application or notification type was deleted')
  if (!user) return refused('the user was deleted')
  const request = { recipientEmail: user.email, appCode: application.code, type: type.code }
  // A digest that was composed, or a mail that is not part of any.
  const resolved = { request, application, type, template: null, isSeparate: true }
  const [details] = await readRecipientsOnly([resolved])
  // Erased since they were read.
  if (details.user.id !== content.userId) return refused('the user was deleted')
  const plan = planFor(resolved, details)
  const channels = pending.channels.filter((channel) => plan.channels.includes(channel))
  if (channels.length === 0) {
    const statusReason = plan.skipped ?? 'NO_CHANNEL'
    return { refused: hasBegun ? failure(statusReason) : { status: 'skipped', statusReason } }
  }
  if (plan.later && mayWait(pending)) return { until: plan.later.until }
  const brand = await Brand.find(content.brandId)
  // Another account must not send what was written for this one (platform.md#deleting-a-brand).
  if (!brand && channels.includes('email')) return refused('its brand was deleted')
  const { id, email, createdAt } = notification
  const message: OutgoingMessage = {
    ...messageOf(content),
    application,
    type,
    recipient: details.user,
    subscriptions: details.subscriptions,
    reference: notificationReference(id, toDatabaseTimestamp(createdAt), email),
    brand: brand ?? details.brand,
  }
  return { message, channels }
}

const failure = (statusReason: string): DeliveryOutcome => ({ status: 'failed', statusReason })

function messageOf({ url, ...content }: PendingContent) {
  const { subject, html, text, mailText, messageDomain, secrets } = content
  return { subject, html, text, mailText, messageDomain, secrets, data: { url } }
}
