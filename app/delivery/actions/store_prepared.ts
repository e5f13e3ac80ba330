import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { contentOf, latestWait } from '#app/delivery/actions/new_pending_send'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import { recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { type AddedEntry, addToDigests } from '#app/delivery/digests/add_to_digests'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import PendingSend from '#app/delivery/models/pending_send'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'

export interface DueRequest {
  pending: Pick<PendingSend, 'id' | 'claim' | 'notificationId'>
  /** Or why nothing is sent */
  result: PreparedNotification | RefusedRequest
}

export interface RefusedRequest extends DeliveryOutcome {
  /** Encoded; missing if nothing was looked up */
  explanation?: string
}

/**
 * Makes rendered requests sends that are due now, or after the quiet hours of their recipients.
 * Ends those that are not sent. Leaves out what was cancelled, erased, or claimed by another
 * process.
 */
export function storePrepared(requests: DueRequest[]): Promise<void> {
  return transaction(async (trx) => {
    const added: AddedEntry[] = []
    for (const request of requests) added.push(...(await storeOne(request, trx)))
    await addToDigests(added, (query, values) => query.within(trx, values))
  })
}

/** @returns what is to be added to a digest */
async function storeOne(
  { pending: { id, claim }, result }: DueRequest,
  trx: TransactionClientContract
): Promise<AddedEntry[]> {
  const pending = await PendingSend.query({ client: trx }).where({ id, claim }).forUpdate().first()
  if (!pending) return []
  const notification = await Notification.query({ client: trx })
    .where({ id: pending.notificationId, status: 'scheduled' })
    .forUpdate()
    .first()
  if (!notification) return []
  if ('status' in result) {
    await notification.merge(result).save()
    await storeOutcomes([{ id: notification.id, outcome: result }], trx)
    await pending.delete()
    return []
  }
  const now = DateTime.utc()
  const { record, channels, digest, outgoing } = result
  const { appName, templateKey, locale, subject, templateSource, inInbox } = record
  const { bodyText, bodyHtml, explanation } = record
  const texts = { appName, templateKey, locale, subject, templateSource, bodyText, bodyHtml }
  const shown = { inInbox, shownAt: inInbox ? now : null }
  const known = notification.sensitiveVariables ?? []
  const sensitiveVariables = [...new Set([...known, ...record.sensitiveVariables])]
  notification.merge({ ...texts, ...shown, sensitiveVariables, explanation })
  const { id: item, email } = notification
  if (inInbox) await recordInboxChange(email, 'appeared', [item], trx)
  const added = digest ? [{ notificationId: item, entry: digest }] : []
  if (channels.length === 0) {
    const { status, statusReason } = record
    if (status === 'scheduled') notification.merge({ scheduledFor: record.scheduledFor })
    await notification.merge({ status, statusReason }).save()
    if (status !== 'scheduled') await storeOutcomes([{ id: item, outcome: record }], trx)
    await pending.delete()
    return added
  }
  const { scheduledFor, statusReason } = record
  if (scheduledFor) notification.merge({ scheduledFor, statusReason })
  await notification.save()
  const waitUntil = scheduledFor && latestWait()
  const due = { dueAt: scheduledFor ?? now, waitUntil, claim: '', claims: 0 }
  await pending.merge({ ...contentOf(outgoing(''), channels), ...due }).save()
  return added
}
