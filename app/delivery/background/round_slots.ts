import { LRUCache } from 'lru-cache'
import { inTurn } from '#core/background/in_turn'
import type { DueApplication, DueSend } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { holdMs, parallel, perAccount, perApplication, perApplicationAccount } = sendingConfig
const { perSlowAccount, slowForMs, slowRoundMs } = sendingConfig

const MOST_SLOW = 1_000

/** Sends of an application with one mail account. */
interface ApplicationAccount {
  applicationId: number
  account: string
}

interface InProgress extends ApplicationAccount {
  count: number
}

/**
 * Which rounds this process begins. Whoever has fewest in progress comes next. Several servers that
 * hang must not use all slots, so slow accounts get few (delivery.md#retry-claims).
 */
export class RoundSlots {
  readonly #inProgress = new Map<string, InProgress>()
  /** Applications with accounts of which a round has taken long. */
  readonly #slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: slowForMs })
  readonly #paused = new Map<string, ApplicationAccount & { until: number }>()

  get free(): number {
    return parallel - this.#inProgress.values().reduce((sum, { count }) => sum + count, 0)
  }

  /** Those that get slots now. */
  shareApplications(due: DueApplication[]): DueApplication[] {
    return this.#inTurnOfApplications(due).slice(0, this.free)
  }

  /** Those that get slots now: neither an application nor an account gets them all. */
  share(due: DueSend[]): DueSend[] {
    const ofBoth = inTurn(due, {
      group: nameOf,
      taken: (send) => this.#inProgress.get(nameOf(send))?.count ?? 0,
      most: (send) => this.#mostOf(nameOf(send)),
    })
    const counts = this.#countBy(accountOf)
    const ofAccounts = inTurn(ofBoth, {
      group: accountOf,
      taken: ({ account }) => counts.get(account) ?? 0,
      most: () => perAccount,
    })
    return this.#inTurnOfApplications(ofAccounts).slice(0, this.free)
  }

  /** The accounts with which the application begins no round now. */
  busyAccounts(applicationId: number): string[] {
    const now = performance.now()
    for (const [name, { until }] of this.#paused) if (until <= now) this.#paused.delete(name)
    const inProgress = [...this.#inProgress.values()]
    const full = inProgress.filter((each) => each.count >= this.#mostOf(nameOf(each)))
    const own = [...full, ...this.#paused.values()]
      .filter((each) => each.applicationId === applicationId)
      .map(accountOf)
    const fullForAll = [...this.#countBy(accountOf)].filter(([, count]) => count >= perAccount)
    return [...own, ...fullForAll.map(([account]) => account)]
  }

  take({ applicationId, account }: ApplicationAccount) {
    const name = nameOf({ applicationId, account })
    const count = (this.#inProgress.get(name)?.count ?? 0) + 1
    this.#inProgress.set(name, { applicationId, account, count })
  }

  /**
   * @param round pauses the account for this application if it failed
   * @param tookMs how long the round took
   * @returns whether others may have waited for the slot
   */
  release({ applicationId, account }: ApplicationAccount, round: Round, tookMs: number): boolean {
    const used = { applicationId, account }
    const name = nameOf(used)
    const { count } = this.#inProgress.get(name)!
    const wasFull =
      count >= this.#mostOf(name) ||
      this.free <= 0 ||
      this.#countBy(accountOf).get(account)! >= perAccount ||
      this.#countBy(applicationOf).get(applicationId)! >= perApplication
    if (count > 1) this.#inProgress.set(name, { ...used, count: count - 1 })
    else this.#inProgress.delete(name)
    if (round === 'passed') this.#paused.delete(name)
    else if (round === 'failed') {
      this.#paused.set(name, { ...used, until: performance.now() + holdMs })
    }
    if (tookMs > slowRoundMs) this.#slow.set(name, true)
    return wasFull
  }

  #mostOf(name: string): number {
    return this.#slow.has(name) ? perSlowAccount : perApplicationAccount
  }

  #inTurnOfApplications<Due extends DueApplication>(due: Due[]): Due[] {
    const counts = this.#countBy(applicationOf)
    return inTurn(due, {
      group: applicationOf,
      taken: ({ applicationId }) => counts.get(applicationId) ?? 0,
      most: () => perApplication,
    })
  }

  #countBy<Key>(keyOf: (each: ApplicationAccount) => Key): Map<Key, number> {
    const counts = new Map<Key, number>()
    for (const each of this.#inProgress.values()) {
      counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + each.count)
    }
    return counts
  }
}

/** `none` if its server was not asked, which says nothing about others of the account. */
export type Round = 'passed' | 'failed' | 'none'

const nameOf = ({ applicationId, account }: ApplicationAccount) => `${applicationId} ${account}`
const accountOf = ({ account }: ApplicationAccount) => account
const applicationOf = ({ applicationId }: DueApplication) => applicationId
