import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import { secrets } from '#core/secrets'
import { Deadline } from '#core/values/deadline'
import { notificationReference } from '#app/delivery/values/notification_reference'
import { channels } from '#app/delivery/channels'
import { type DeliveryResult, failedDelivery } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'
import Brand from '#app/platform/models/brand'
import { recordMailRound } from '#app/identity_provider/mail_hook/record_mail_round'
import type ProviderMail from '#app/identity_provider/models/provider_mail'
import { AUTH_TYPE, AUTH_TYPE_SWITCHES } from '#app/identity_provider/auth_templates/auth_templates'
import {
  MAIL_CONTENT_PURPOSE,
  type MailContent,
} from '#app/identity_provider/mail_hook/mail_content'
import identityProvider from '#config/identity_provider'

const { leaseMs, reservedMs, roundMs } = identityProvider.mails

const pendingRounds = new Set<Promise<boolean>>()

/** Delivers a claimed mail once. Never throws; returns whether the mail was accepted. */
export function deliverProviderMail(mail: ProviderMail): Promise<boolean> {
  const round = deliver(mail).catch((error: unknown) => {
    // The claim expires and another round follows.
    logger.error(
      { error: describeError(error), mail: mail.id },
      'The outcome of a mail delivery could not be recorded'
    )
    return false
  })
  pendingRounds.add(round)
  void round.finally(() => pendingRounds.delete(round))
  return round
}

/** How many rounds are in progress in this process. */
export const pendingDeliveries = (): number => pendingRounds.size

export async function finishPendingDeliveries() {
  await Promise.all(pendingRounds)
}

async function deliver(mail: ProviderMail): Promise<boolean> {
  const content = decryptContent(mail)
  const result = content
    ? await send(mail, content)
    : failedDelivery('the stored mail cannot be decrypted with the key of this installation')
  // Record within the claim: after it expires, another process would send the mail again.
  await retryWhileUnavailable(
    () => recordMailRound(mail.id, result),
    new Deadline(leaseMs - roundMs)
  )
  return result.status === 'sent'
}

function decryptContent(mail: ProviderMail): MailContent | null {
  const json = mail.content && secrets.decrypt(mail.content, MAIL_CONTENT_PURPOSE)
  return json ? (JSON.parse(json) as MailContent) : null
}

/** Every round sends the same mail under the same `Message-ID`. */
async function send(mail: ProviderMail, content: MailContent): Promise<DeliveryResult> {
  const { brandId, recipient, fromName, subject, html, text, secrets: hidden } = content
  const [brand, notification] = await Promise.all([
    Brand.find(brandId),
    Notification.find(mail.notificationId),
  ])
  if (!brand) return failedDelivery('the brand was deleted')
  const reference = notification
    ? notificationReference(
        notification.id,
        toDatabaseTimestamp(notification.createdAt),
        notification.email
      )
    : `provider-mail.${mail.id}`
  return channels.email.deliver(
    {
      reference,
      brand,
      type: { id: 0, code: AUTH_TYPE, ...AUTH_TYPE_SWITCHES, emailFromName: fromName },
      recipient: { id: 0, email: recipient.email, nameInMessages: recipient.name },
      subject,
      html,
      text,
      secrets: hidden,
    },
    new Deadline(roundMs, reservedMs)
  )
}
