import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import type { Sweep } from '#core/retention/sweep'
import AuditChain from '#app/audit/models/audit_chain'
import AuditEntry from '#app/audit/models/audit_entry'
import retention from '#config/retention'

/** Removes entries from the beginning of the chain, and signs where the rest begins. */
export class ExpiredEntries implements Sweep {
  readonly name = 'audit_entries'
  readonly #days: number

  constructor(days: number) {
    this.#days = days
  }

  async isDue(now: DateTime) {
    const oldest = await this.#sealed().first()
    return oldest !== null && this.#isExpired(oldest, now)
  }

  async deleteExpired(now: DateTime, limit: number, trx: TransactionClientContract) {
    await lockUntilCommit(trx, 'audit chain')
    const oldest = await this.#sealed().useTransaction(trx).limit(limit)
    // Clocks differ and change, so an entry can be older than those before it.
    const kept = oldest.findIndex((entry) => !this.#isExpired(entry, now))
    const last = kept === -1 ? oldest.at(-1) : oldest[kept - 1]
    if (!last) return 0
    const chain = await AuditChain.current(trx)
    chain.checkpoint = { sequence: last.sequence!, hash: last.hash! }
    await chain.useTransaction(trx).save()
    const removed = trx.from('audit_entries').where('sequence', '<=', last.sequence!)
    return Number(await removed.delete())
  }

  #sealed() {
    return AuditEntry.query()
      .select('id', 'at', 'sequence', 'hash')
      .whereNotNull('sequence')
      .orderBy('sequence')
  }

  #isExpired({ at }: AuditEntry, now: DateTime) {
    return toDatabaseTimestamp(at) < toDatabaseTimestamp(now.minus({ days: this.#days }))
  }
}

const { auditEntriesDays: days } = retention

export const auditSweeps = days === null ? [] : [new ExpiredEntries(days)]
