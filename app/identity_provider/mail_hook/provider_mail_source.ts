import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { WorkSource } from '#core/background/work_source'
import { deliverProviderMail } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { leaseMs, rememberedDays } = identityProvider.mails

/** Sent concurrently, so that no claim expires while its mail waits. */
const BATCH = 10
const DELETE_EVERY_MS = 600_000

export class ProviderMailSource implements WorkSource {
  readonly name = 'mails of the identity provider'
  #nextDeletionAt = 0

  async work() {
    await this.#deleteOld()
    // Usually there are none, and on SQLite even an empty claim would block other writers.
    if ((await dueMails().select('id').first()) === null) return false
    const mails = await claimDueMails()
    await Promise.all(mails.map(deliverProviderMail))
    return mails.length === BATCH
  }

  async backlog() {
    const [row] = await dueMails().count('* as rows')
    return Number(row.$extras.rows)
  }

  /** Deletes finished mails that are too old to be recognised as duplicates. */
  async #deleteOld() {
    const now = performance.now()
    if (now < this.#nextDeletionAt) return
    this.#nextDeletionAt = now + DELETE_EVERY_MS
    const before = DateTime.utc().minus({ days: rememberedDays })
    await ProviderMail.query()
      .whereNot('status', 'queued')
      .where('receivedAt', '<', toDatabaseTimestamp(before))
      .delete()
  }
}

function claimDueMails(): Promise<ProviderMail[]> {
  return transaction(async (trx) => {
    const now = DateTime.utc()
    const mails = await dueMails(trx)
      .orderBy('dueAt')
      .limit(BATCH)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const claim = { claim: randomUUID(), dueAt: now.plus({ milliseconds: leaseMs }) }
    for (const mail of mails) await mail.merge(claim).save()
    return mails
  })
}

function dueMails(client?: TransactionClientContract) {
  return ProviderMail.query({ client })
    .whereRaw("status = 'queued'")
    .where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))
}
