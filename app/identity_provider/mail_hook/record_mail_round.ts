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
    mail.merge({ rounds: mail.rounds + 1, ...stateAfter(mail, result.status === 'sent') })
    await mail.save()
    await recordOutcome(mail, result, trx)
  })
}

function stateAfter(mail: ProviderMail, isSent: boolean) {
  const now = DateTime.utc()
  if (isSent) return { status: 'sent' as const, content: null, dueAt: null }
  if (now >= mail.giveUpAt) {
    return { status: 'failed' as const, content: null, dueAt: null }
  }
  const seconds = retryAfterSeconds[Math.min(mail.rounds, retryAfterSeconds.length - 1)]
  return { dueAt: DateTime.min(now.plus({ seconds }), mail.giveUpAt) }
}

async function recordOutcome(
  { notificationId, status }: ProviderMail,
  result: DeliveryResult,
  trx: TransactionClientContract
) {
  if (notificationId === null) return
  const { error } = result
  await addAttempts({ notificationId, channel: 'email' }, result, trx)
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
