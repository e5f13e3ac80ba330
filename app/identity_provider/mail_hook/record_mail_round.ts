import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { addAttempts } from '#app/delivery/actions/add_attempts'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import Notification from '#app/notifications/models/notification'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { retryAfterSeconds } = identityProvider.mails

/** Finishes the mail or schedules another round. */
export async function recordMailRound(id: number, result: DeliveryResult) {
  await transaction(async (trx) => {
    const mail = await ProviderMail.query({ client: trx }).where('id', id).forUpdate().first()
    // Another process finished it after this one outlived its claim.
    if (mail?.status !== 'queued') return
    const rounds = mail.rounds + Number(!result.wasNotOffered)
    mail.merge({ rounds, ...stateAfter(mail, result) })
    await mail.save()
    await recordOutcome(mail, result, trx)
  })
}

function stateAfter(mail: ProviderMail, { status, wasNotOffered }: DeliveryResult) {
  const now = DateTime.utc()
  if (status === 'sent') return { status: 'sent' as const, content: null, dueAt: null }
  if (now >= mail.giveUpAt) {
    return { status: 'failed' as const, content: null, dueAt: null }
  }
  const seconds = wasNotOffered
    ? retryAfterSeconds[0]
    : retryAfterSeconds[Math.min(mail.rounds, retryAfterSeconds.length - 1)]
  return { dueAt: DateTime.min(now.plus({ seconds }), mail.giveUpAt) }
}

async function recordOutcome(
  { notificationId, status }: ProviderMail,
  result: DeliveryResult,
  trx: TransactionClientContract
) {
  if (notificationId === null) return
  const { error } = result
  if (!result.wasNotOffered) {
    await addAttempts({ notificationId, channel: 'email' }, result, trx)
  }
  const retryNote = status === 'queued' ? '; it will be retried' : ''
  const statusReason = error === null ? null : `SMTP_ERROR: ${error}${retryNote}`
  await Notification.query({ client: trx })
    .where('id', notificationId)
    .update({ status: result.status, status_reason: statusReason })
  if (status === 'queued') return
  await storeOutcomes(
    [{ id: notificationId, outcome: { status: result.status, statusReason } }],
    trx
  )
}
