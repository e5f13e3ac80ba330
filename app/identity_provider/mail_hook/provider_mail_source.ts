import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { WorkSource } from '#app/delivery/outbox/work_source'
import { deliverProviderMail } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { leaseMs, rememberedDays } = identityProvider.mails

/** Sent all at once, so that no claim expires while its mail waits. */
const BATCH = 10
const FORGET_EVERY_MS = 600_000

export class ProviderMailSource implements WorkSource {
  readonly name = 'mails of the identity provider'
  #forgetAgainAt = 0

  async work() {
    await this.#forgetOld()
    // Usually there are none, and on SQLite even an empty claim would block other writers.
    if ((await due().select('id').first()) === null) return false
    const mails = await claimDue()
    await Promise.all(mails.map(deliverProviderMail))
    return mails.length === BATCH
  }

  async backlog() {
    const [row] = await due().count('* as rows')
    return Number(row.$extras.rows)
  }

  /** Deletes finished mails that are too old to be recognised as duplicates. */
  async #forgetOld() {
    const now = performance.now()
    if (now < this.#forgetAgainAt) return
    this.#forgetAgainAt = now + FORGET_EVERY_MS
    const before = DateTime.utc().minus({ days: rememberedDays })
    await ProviderMail.query()
      .whereNot('status', 'queued')
      .where('receivedAt', '<', toDatabase(before))
      .delete()
  }
}

function claimDue(): Promise<ProviderMail[]> {
  return transaction(async (trx) => {
    const now = DateTime.utc()
    const mails = await due(trx)
      .orderBy('dueAt')
      .limit(BATCH)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const claim = { claim: randomUUID(), dueAt: now.plus({ milliseconds: leaseMs }) }
    for (const mail of mails) await mail.merge(claim).save()
    return mails
  })
}

function due(client?: TransactionClientContract) {
  return ProviderMail.query({ client })
    .where('status', 'queued')
    .where('dueAt', '<=', toDatabase(DateTime.utc()))
}
