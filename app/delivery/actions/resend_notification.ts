import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { Problem } from '#core/exceptions/problem'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { Deadline } from '#core/values/deadline'
import Application from '#app/applications/models/application'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import { prepareNotifications } from '#app/delivery/actions/prepare_notifications'
import { textsOf } from '#app/delivery/actions/record_texts'
import { resolveRequests } from '#app/delivery/actions/resolve_requests'
import { sendDurably } from '#app/delivery/actions/send_durably'
import { newDeferredSend, newPendingSend } from '#app/delivery/actions/new_pending_send'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import { NotResendable, NotificationNotFailed } from '#app/delivery/exceptions'
import PendingSend from '#app/delivery/models/pending_send'
import { isStillTried } from '#app/delivery/queries/next_attempt'
import { notificationReference } from '#app/delivery/values/notification_reference'
import type { SendResult } from '#app/delivery/values/notification_request'
import { NotificationNotFound } from '#app/notifications/exceptions'
import Notification from '#app/notifications/models/notification'
import { hasSensitiveValue } from '#app/notifications/values/sensitive_variables'
import { isPseudonym } from '#app/profiles/values/pseudonym'
import mailConfig from '#config/mail'
import sendingConfig from '#config/sending'

/** A newer entry may be in progress: it says `failed` until its delivery is recorded. */
const SETTLED_AFTER_MS = 60_000
const UNFINISHED = 'the delivery did not finish'
const HAS_SECRETS = 'The notification contains sensitive variables'
const IS_DIGEST = 'It is a digest. Send the notifications again that were part of it.'
const IS_ERASED = 'The recipient was erased'

/**
 * Sends a failed notification again, under its id and with its `Message-ID`. It is rendered again.
 * @throws ApplicationNotFound, NotificationNotFound, NotificationNotFailed, NotResendable, and the
 *   problems of a send
 */
export async function resendNotification(appCode: string, id: number): Promise<SendResult> {
  const notification = await findResendable(appCode, id)
  const prepared = await prepareAgain(notification)
  if (prepared.channels.length === 0) return recordUnsent(notification, prepared)
  const pending = await claimResend(notification, prepared)
  if (pending === null) return scheduledResult(id, prepared)
  const { email, createdAt } = notification
  const reference = notificationReference(id, toDatabaseTimestamp(createdAt), email)
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const outcome = await sendDurably({ id, reference, pending }, prepared, deadline, () => {})
  return { id, ...outcome }
}

/** An entry of an earlier application with the same code does not belong to this one. */
async function findResendable(appCode: string, id: number): Promise<Notification> {
  const { createdAt: since } = await Application.withCode(appCode)
  const notification = await Notification.find(id)
  if (notification?.appCode !== appCode || notification.createdAt < since) {
    throw new NotificationNotFound()
  }
  requireFailed(notification)
  if (isPseudonym(notification.email)) throw new NotResendable({ detail: IS_ERASED })
  if (notification.digestSize !== null) throw new NotResendable({ detail: IS_DIGEST })
  // Entries from before the keys were recorded have no secrets if they are in the inbox.
  const { sensitiveVariables, inInbox, payload } = notification
  const hasSecrets =
    sensitiveVariables === null ? !inInbox : hasSensitiveValue(payload, sensitiveVariables)
  if (hasSecrets) throw new NotResendable({ detail: HAS_SECRETS })
  return notification
}

function requireFailed({ status, statusReason, createdAt }: Notification) {
  const isYoung = createdAt > DateTime.utc().minus(SETTLED_AFTER_MS)
  const mayBeInProgress = isYoung && statusReason?.endsWith(UNFINISHED)
  if (status !== 'failed' || mayBeInProgress) throw new NotificationNotFailed()
}

async function prepareAgain(notification: Notification): Promise<PreparedNotification> {
  const { email: recipientEmail, appCode, type, templateKey, payload, locale } = notification
  const request = {
    recipientEmail,
    appCode,
    type,
    locale,
    data: payload,
    template: templateKey ?? undefined,
  }
  const [resolved] = await resolveRequests([request], { kind: 'platform' })
  if (resolved instanceof Problem) throw resolved
  // Messages of system types contain codes that expire, and a provider mail's content is gone.
  if (resolved.type === null) {
    throw new NotResendable({ detail: `The notification type ${type} was deleted` })
  }
  if (resolved.type.system) {
    throw new NotResendable({ detail: `The notification type ${type} is a system type` })
  }
  const [prepared] = await prepareNotifications([{ ...resolved, isSeparate: true }])
  // The template may have declared a variable as sensitive in the meantime.
  if (hasSensitiveValue(payload, prepared.record.sensitiveVariables)) {
    throw new NotResendable({ detail: HAS_SECRETS })
  }
  return prepared
}

function scheduledResult(id: number, { record }: PreparedNotification): SendResult {
  const { status, statusReason, scheduledFor } = record
  return { id, status, statusReason, scheduledFor: isoTimestamp(scheduledFor!) }
}

/** Why it cannot be sent now, such as a recipient who was deactivated or a missing template. */
async function recordUnsent(
  { id, email }: Notification,
  { record }: PreparedNotification
): Promise<SendResult> {
  const { statusReason, explanation } = record
  await Notification.query()
    .where({ id, email, status: 'failed' })
    .update({ status: 'failed', status_reason: statusReason, explanation })
  return { id, status: 'failed', statusReason }
}

/**
 * Makes it a durable send with the new texts, so that only one of several requests sends it. Null
 * if it waits for the end of quiet hours.
 */
function claimResend(
  { id, email }: Notification,
  { record, channels, outgoing }: PreparedNotification
): Promise<ClaimedSend | null> {
  return transaction(async (trx) => {
    const current = await Notification.query({ client: trx }).where('id', id).forUpdate().first()
    if (!current) throw new NotificationNotFound()
    if (current.email !== email) throw new NotResendable({ detail: IS_ERASED })
    if (current.status !== 'failed' || (await isStillTried(current, trx))) {
      throw new NotificationNotFailed()
    }
    // Locked: an erasure that follows deletes the texts.
    const texts = textsOf({ notification: current, record }) ?? {}
    // By itself, so that it can be cancelled if it waits.
    await current.merge({ ...texts, explanation: record.explanation, digestId: null }).save()
    const { retryHours } = sendingConfig
    const { status, statusReason, scheduledFor } = record
    if (scheduledFor) {
      await current.merge({ status, statusReason, scheduledFor }).save()
      const fields = newDeferredSend(outgoing(''), channels, retryHours, scheduledFor)
      await PendingSend.create({ ...fields, notificationId: id }, { client: trx })
      return null
    }
    const fields = newPendingSend(outgoing(''), channels, retryHours)
    const pending = await PendingSend.create({ ...fields, notificationId: id }, { client: trx })
    const { claim, giveUpAt } = fields
    return { id: pending.id, claim, notificationId: id, channels, giveUpAt }
  })
}
