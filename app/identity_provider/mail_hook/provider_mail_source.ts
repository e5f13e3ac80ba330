import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import { LaterParts } from '#core/background/later_parts'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { deliverProviderMail } from '#app/identity_provider/mail_hook/deliver_provider_mail'
import { type MailOwner, MailSlots } from '#app/identity_provider/mail_hook/mail_slots'
import { mailDomainOf } from '#app/delivery/values/mail_domain'
import Notification from '#app/notifications/models/notification'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import identityProvider from '#config/identity_provider'

const { leaseMs, rememberedDays } = identityProvider.mails

/** How many of the oldest due mails a claim chooses from, and of later ones. */
const CANDIDATES = 1_000
const QUEUE = 'mails'
const DELETE_EVERY_MS = 600_000

interface DueMail extends MailOwner {
  id: number
}

/** Does not wait for rounds, so that a server that hangs delays only the mails of its own brand. */
export class ProviderMailSource implements WorkSource {
  readonly name = 'mails of the identity provider'
  readonly #slots = new MailSlots()
  readonly #laterParts = new LaterParts<typeof QUEUE>(CANDIDATES)
  #nextDeletionAt = 0

  async work() {
    await this.#deleteOld()
    const chosen = await this.#chooseMails()
    const domains = new Map(chosen.map(({ id, domain }) => [id, domain]))
    const mails = await claimMails([...domains.keys()])
    for (const mail of mails) void this.#deliver(mail, domains.get(mail.id)!)
    return mails.length > 0
  }

  async backlog() {
    const [row] = await dueMails().count('* as rows')
    return Number(row.$extras.rows)
  }

  async #chooseMails(): Promise<DueMail[]> {
    if (this.#slots.free <= 0) return []
    const due = await this.#readCandidates()
    if (due.length === 0) return []
    const ids = due.flatMap(({ notificationId }) => notificationId ?? [])
    const entries = await Notification.query().whereIn('id', ids).select('id', 'email')
    const domains = new Map(entries.map(({ id, email }) => [id, mailDomainOf(email)]))
    return this.#slots.share(
      due.map(({ id, brandId, notificationId }) => ({
        id,
        brandId,
        domain: domains.get(notificationId ?? 0) ?? '',
      }))
    )
  }

  /** Thousands of mails to one domain must not hide the later ones to others. */
  async #readCandidates(): Promise<ProviderMail[]> {
    const oldest = await this.#readDue(0)
    if (oldest.length < CANDIDATES) return oldest
    const later = await this.#readDue(this.#laterParts.offset(QUEUE))
    this.#laterParts.moveOn(QUEUE, later.length < CANDIDATES)
    return [...oldest, ...later]
  }

  #readDue(offset: number) {
    return dueMails()
      .whereNotIn('brandId', this.#slots.fullBrands)
      .orderBy('dueAt')
      .orderBy('id')
      .offset(offset)
      .limit(CANDIDATES)
      .select('id', 'brandId', 'notificationId')
  }

  async #deliver(mail: ProviderMail, domain: string) {
    const release = this.#slots.take({ brandId: mail.brandId, domain })
    const isSent = await deliverProviderMail(mail)
    // Others may have waited for the slot.
    if (release(isSent)) wakeBackgroundWork()
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
