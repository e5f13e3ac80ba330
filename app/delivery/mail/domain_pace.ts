import { LRUCache } from 'lru-cache'
import mailConfig from '#config/mail'

const { distrustMs, longMailMs, slowMailMs } = mailConfig

const MOST_DOMAINS = 10_000

/**
 * For which domains a mail server has taken mails promptly. Some servers look up the recipient's
 * domain before they reply, so the owner of a domain can keep mails to it waiting.
 */
export class DomainPace {
  readonly #prompt = new LRUCache<string, true>({ max: MOST_DOMAINS })
  readonly #distrusted = new LRUCache<string, true>({ max: MOST_DOMAINS, ttl: distrustMs })

  isPrompt(domain: string): boolean {
    return this.#prompt.has(domain) && !this.#distrusted.has(domain)
  }

  /** @param ms how long a mail to the domain took */
  record(domain: string, ms: number) {
    if (ms <= slowMailMs) this.#prompt.set(domain, true)
    else if (ms > longMailMs) this.#distrusted.set(domain, true)
  }
}
