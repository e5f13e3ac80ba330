import { toDatabase } from '#core/database/columns'
import Application from '#app/applications/models/application'
import { planFor } from '#app/delivery/actions/prepare_notifications'
import { readRecipients } from '#app/delivery/actions/read_recipients'
import { referenceOf } from '#app/delivery/actions/record_notifications'
import type { Channel } from '#app/delivery/models/delivery'
import type PendingSend from '#app/delivery/models/pending_send'
import { CHANNEL_ERRORS } from '#app/delivery/values/delivery_outcome'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { type PendingContent, openContent } from '#app/delivery/values/pending_content'
import { isTooLate } from '#app/delivery/values/retry_times'
import Notification from '#app/notifications/models/notification'
import NotificationType from '#app/notifications/models/notification_type'
import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'

const { maxClaims } = sendingConfig

/** What the next round sends and through which channels, or why the send ends. */
export type PendingMessage = { message: OutgoingMessage; channels: Channel[] } | { refusal: string }

/** Takes into account what was switched off, deleted or deactivated since the last round. */
export async function readPending(pending: PendingSend): Promise<PendingMessage> {
  const refused = (why: string) => ({ refusal: `${CHANNEL_ERRORS[pending.channels[0]]}: ${why}` })
  if (isTooLate(pending.giveUpAt)) return refused('the retry period ended before the next attempt')
  if (pending.claims > maxClaims) return refused('several processes ended while they sent it')
  const content = openContent(pending.content)
  if (!content) return refused('the stored message cannot be decrypted with the current APP_KEY')
  const [notification, application, type, user] = await Promise.all([
    Notification.findOrFail(pending.notificationId),
    Application.find(content.applicationId),
    NotificationType.find(content.typeId),
    User.find(content.userId),
  ])
  if (!application || !type) return refused('its application or notification type was deleted')
  if (!user) return refused('the person was deleted')
  const request = { recipientEmail: user.email, appCode: application.code, type: type.code }
  const read = { request, application, type, template: null }
  const [facts] = await readRecipients([read])
  const plan = planFor(read, facts)
  const channels = pending.channels.filter((channel) => plan.channels.includes(channel))
  if (channels.length === 0) return { refusal: plan.skipped ?? 'NO_CHANNEL' }
  const { id, email, createdAt } = notification
  const message: OutgoingMessage = {
    ...messageOf(content),
    ...{ application, type, recipient: facts.user, subscriptions: facts.subscriptions },
    reference: referenceOf(id, toDatabase(createdAt), email),
    brand: (await Brand.find(content.brandId)) ?? facts.brand,
  }
  return { message, channels }
}

function messageOf({ subject, html, text, url, messageDomain }: PendingContent) {
  return { subject, html, text, messageDomain, data: { url } }
}
