import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { inTurn } from '#core/background/in_turn'
import type { WorkSource } from '#core/background/work_source'
import { deliverProviderMail } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { leaseMs, parallel, perBrand, rememberedDays } = identityProvider.mails

/** How many due mails a claim reads to find some of different brands. */
const CANDIDATES = 1_000
const DELETE_EVERY_MS = 600_000

/** Does not wait for rounds, so that a server that hangs delays only the mails of its own brand. */
export class ProviderMailSource implements WorkSource {
  readonly name = 'mails of the identity provider'
  /** Rounds by the id of the brand. */
  readonly #inProgress = new Map<number, number>()
  #nextDeletionAt = 0

  async work() {
    await this.#deleteOld()
    const mails = await claimMails(await this.#chooseMails())
    for (const mail of mails) void this.#deliver(mail)
    return mails.length > 0
  }

  async backlog() {
    const [row] = await dueMails().count('* as rows')
    return Number(row.$extras.rows)
  }

  get #free(): number {
    return parallel - this.#inProgress.values().reduce((sum, count) => sum + count, 0)
  }

  /** The due mails with the fewest rounds, of brands in turn. */
  async #chooseMails(): Promise<number[]> {
    const free = this.#free
    if (free <= 0) return []
    const full = this.#inProgress.entries().filter(([, count]) => count >= perBrand)
    const due = await dueMails()
      .whereNotIn('brandId', [...full.map(([brandId]) => brandId)])
      // Those that keep failing must not delay the others.
      .orderBy('rounds')
      .orderBy('dueAt')
      .limit(CANDIDATES)
      .select('id', 'brandId')
    const chosen = inTurn(due, {
      group: ({ brandId }) => brandId,
      taken: ({ brandId }) => this.#roundsOf(brandId),
      most: () => perBrand,
    })
    return chosen.slice(0, free).map(({ id }) => id)
  }

  async #deliver(mail: ProviderMail) {
    const { brandId } = mail
    this.#inProgress.set(brandId, this.#roundsOf(brandId) + 1)
    await deliverProviderMail(mail)
    const count = this.#roundsOf(brandId)
    const wasFull = count >= perBrand || this.#free <= 0
    if (count > 1) this.#inProgress.set(brandId, count - 1)
    else this.#inProgress.delete(brandId)
    // Others may have waited for the slot.
    if (wasFull) wakeBackgroundWork()
  }

  #roundsOf(brandId: number): number {
    return this.#inProgress.get(brandId) ?? 0
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

async function claimMails(ids: number[]): Promise<ProviderMail[]> {
  // Usually there are none, and on SQLite even an empty claim would block other writers.
  if (ids.length === 0) return []
  return transaction(async (trx) => {
    const mails = await dueMails(trx)
      .whereIn('id', ids)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    const claim = { claim: randomUUID(), dueAt }
    for (const mail of mails) await mail.merge(claim).save()
    return mails
  })
}

function dueMails(client?: TransactionClientContract) {
  return ProviderMail.query({ client })
    .whereRaw("status = 'queued'")
    .where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))
}
