import { inTurn } from '#core/background/in_turn'
import type { DueApplication, DueSend } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { holdMs, parallel, perAccount, perApplication, perLane } = sendingConfig

/** Sends of an application with one mail account. */
interface Lane {
  applicationId: number
  account: string
}

interface InProgress extends Lane {
  count: number
}

/** Which rounds this process begins. Whoever has fewest in progress comes next. */
export class RoundSlots {
  readonly #inProgress = new Map<string, InProgress>()
  readonly #paused = new Map<string, Lane & { until: number }>()

  get free(): number {
    return parallel - this.#inProgress.values().reduce((sum, { count }) => sum + count, 0)
  }

  /** Those that get slots now. */
  shareApplications(due: DueApplication[]): DueApplication[] {
    return this.#inTurnOfApplications(due).slice(0, this.free)
  }

  /** Those that get slots now: neither an application nor an account gets them all. */
  share(due: DueSend[]): DueSend[] {
    const ofLanes = inTurn(due, {
      group: nameOf,
      taken: (send) => this.#inProgress.get(nameOf(send))?.count ?? 0,
      most: () => perLane,
    })
    const counts = this.#countBy(accountOf)
    const ofAccounts = inTurn(ofLanes, {
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
    const fullLanes = this.#inProgress.values().filter(({ count }) => count >= perLane)
    const lanes: Lane[] = [...fullLanes, ...this.#paused.values()]
    const own = lanes.filter((lane) => lane.applicationId === applicationId).map(accountOf)
    const full = this.#countBy(accountOf)
      .entries()
      .filter(([, count]) => count >= perAccount)
    return [...own, ...full.map(([account]) => account)]
  }

  take({ applicationId, account }: Lane) {
    const name = nameOf({ applicationId, account })
    const count = (this.#inProgress.get(name)?.count ?? 0) + 1
    this.#inProgress.set(name, { applicationId, account, count })
  }

  /**
   * @param round pauses the account for this application if it failed
   * @returns whether others may have waited for the slot
   */
  release({ applicationId, account }: Lane, round: Round): boolean {
    const lane = { applicationId, account }
    const name = nameOf(lane)
    const { count } = this.#inProgress.get(name)!
    const wasFull =
      count >= perLane ||
      this.free <= 0 ||
      this.#countBy(accountOf).get(account)! >= perAccount ||
      this.#countBy(applicationOf).get(applicationId)! >= perApplication
    if (count > 1) this.#inProgress.set(name, { ...lane, count: count - 1 })
    else this.#inProgress.delete(name)
    if (round === 'passed') this.#paused.delete(name)
    else if (round === 'failed') {
      this.#paused.set(name, { ...lane, until: performance.now() + holdMs })
    }
    return wasFull
  }

  #inTurnOfApplications<Due extends DueApplication>(due: Due[]): Due[] {
    const counts = this.#countBy(applicationOf)
    return inTurn(due, {
      group: applicationOf,
      taken: ({ applicationId }) => counts.get(applicationId) ?? 0,
      most: () => perApplication,
    })
  }

  #countBy<Key>(keyOf: (lane: Lane) => Key): Map<Key, number> {
    const counts = new Map<Key, number>()
    for (const lane of this.#inProgress.values()) {
      counts.set(keyOf(lane), (counts.get(keyOf(lane)) ?? 0) + lane.count)
    }
    return counts
  }
}

/** `none` if its server was not asked, which says nothing about others of the account. */
export type Round = 'passed' | 'failed' | 'none'

const nameOf = ({ applicationId, account }: Lane) => `${applicationId} ${account}`
const accountOf = ({ account }: Lane) => account
const applicationOf = ({ applicationId }: DueApplication) => applicationId
