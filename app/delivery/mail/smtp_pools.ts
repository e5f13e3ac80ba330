import { LRUCache } from 'lru-cache'
import { DomainPace } from '#app/delivery/mail/domain_pace'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { SmtpPool } from '#app/delivery/mail/smtp_pool'
import mailConfig from '#config/mail'

interface Entry {
  fingerprint: string
  pool: SmtpPool
  idle: NodeJS.Timeout
}

const MOST_REMEMBERED = 1_000

export class SmtpPools {
  readonly #entries = new Map<string, Entry>()
  /** Of each owner, also while they have no pool. */
  readonly #paces = new LRUCache<string, DomainPace>({
    max: MOST_REMEMBERED,
    memoMethod: () => new DomainPace(),
  })

  /** Replaces the pool of the owner if the fingerprint of the account has changed. */
  of(owner: string, fingerprint: string, account: () => SmtpAccount): SmtpPool {
    const existing = this.#entries.get(owner)
    if (existing?.fingerprint === fingerprint) {
      existing.idle.refresh()
      return existing.pool
    }
    const pool = new SmtpPool(account(), this.#paces.memo(owner))
    if (existing) this.#close(owner, existing)
    const idle = setTimeout(() => this.#closeIdle(owner), mailConfig.idleMs).unref()
    this.#entries.set(owner, { fingerprint, pool, idle })
    return pool
  }

  closeAll() {
    for (const [owner, entry] of this.#entries) this.#close(owner, entry)
  }

  #closeIdle(owner: string) {
    const entry = this.#entries.get(owner)
    if (!entry) return
    if (entry.pool.isIdle) this.#close(owner, entry)
    else entry.idle.refresh()
  }

  #close(owner: string, { pool, idle }: Entry) {
    clearTimeout(idle)
    this.#entries.delete(owner)
    pool.close()
  }
}
