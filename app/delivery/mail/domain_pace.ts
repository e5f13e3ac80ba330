import { LRUCache } from 'lru-cache'
import mailConfig from '#config/mail'

const { longMailMs, slowDomainForMs, slowMailMs, slowestMailMs } = mailConfig

const MOST_DOMAINS = 10_000
/** How many mails say what is usual: as much as the quickest quarter of them takes at most. */
const LATEST = 32
/** A slow mail takes so many times longer than usual. */
const SLOW_FACTOR = 3
/** A quick mail adds a point, and one that takes very long costs several. */
const MOST_POINTS = 10
const POINTS_OF_LONG_MAIL = 5

/** When a mail began that was quick. */
interface Quick {
  domain: string | null
  at: number
}

const NONE: Quick = { domain: null, at: -Infinity }

/**
 * To which domains a mail server sends mails promptly. Some servers look up the recipient's domain
 * before they reply, so the owner of a domain can keep mails to it waiting.
 */
export class DomainPace {
  readonly #points: LRUCache<string, number>
  /** The latest quick mails, to two domains */
  #quick: [Quick, Quick] = [NONE, NONE]
  /** How long the latest mails took, in milliseconds */
  readonly #latest: number[] = []
  #slowMs = slowMailMs

  constructor({ now = () => performance.now() } = {}) {
    this.#points = new LRUCache({ max: MOST_DOMAINS, ttlResolution: 0, perf: { now } })
  }

  /** A mail that takes longer is slow, in milliseconds. More for a server that is never quick. */
  get slowMs(): number {
    return this.#slowMs
  }

  isPrompt(domain: string): boolean {
    return this.#pointsOf(domain) > 0
  }

  isSlow(domain: string): boolean {
    return this.#pointsOf(domain) < 0
  }

  /**
   * Records a mail to the domain. If all mails took long at the time, that says nothing about it.
   *
   * @param since when the mail began: a `performance.now()` timestamp, as is `until`
   * @param until when it ended
   */
  record(domain: string, since: number, until: number) {
    const tookMs = until - since
    const isQuick = tookMs <= this.#slowMs
    this.#compareWith(tookMs)
    if (isQuick) {
      this.#set(domain, Math.min(MOST_POINTS, this.#pointsOf(domain) + 1))
      const [latest, other] = this.#quick
      this.#quick = [{ domain, at: since }, latest.domain === domain ? other : latest]
    } else if (tookMs > longMailMs && this.#wasQuickToOthers(domain, since)) {
      this.#set(domain, Math.max(-MOST_POINTS, this.#pointsOf(domain) - POINTS_OF_LONG_MAIL))
    }
  }

  #compareWith(tookMs: number) {
    this.#latest.push(tookMs)
    if (this.#latest.length > LATEST) this.#latest.shift()
    const sorted = this.#latest.toSorted((one, other) => one - other)
    const usualMs = sorted[Math.floor(sorted.length / 4)]
    this.#slowMs = Math.min(slowestMailMs, Math.max(slowMailMs, usualMs * SLOW_FACTOR))
  }

  #wasQuickToOthers(domain: string, since: number): boolean {
    return this.#quick.some((quick) => quick.domain !== domain && quick.at >= since)
  }

  #pointsOf(domain: string): number {
    return this.#points.get(domain) ?? 0
  }

  #set(domain: string, points: number) {
    this.#points.set(domain, points, { ttl: points < 0 ? slowDomainForMs : 0 })
  }
}
