import { inTurn } from '#core/background/in_turn'
import type { DueWebhook } from '#app/webhooks/queries/due_deliveries'
import webhooksConfig from '#config/webhooks'

const { parallel, perApplication, perWebhook } = webhooksConfig
const { parallelStruggling, perStrugglingWebhook } = webhooksConfig
const { holdMs, slowForMs } = webhooksConfig

/** Attempts in progress at one webhook. */
interface InProgress {
  count: number
  applicationId: number
  isStruggling: boolean
}

export interface EndedAttempt {
  isDelivered: boolean
  isSlow: boolean
}

/**
 * Which attempts this process begins. A webhook struggles if its last attempt failed or was slow:
 * it keeps a slot occupied for long, so it has only one.
 */
export class Slots {
  readonly #inProgress = new Map<number, InProgress>()
  readonly #pausedUntil = new Map<number, number>()
  readonly #slowUntil = new Map<number, number>()

  get free(): number {
    return parallel - this.#count(() => true)
  }

  /** Those that get slots now. Whoever has fewest gets the next one, first the application. */
  share<Due extends DueWebhook>(due: Due[]): Due[] {
    forgetPast(this.#pausedUntil)
    forgetPast(this.#slowUntil)
    const perApplicationNow = this.#countByApplication()
    const ready = due.filter(({ webhookId }) => !this.#pausedUntil.has(webhookId))
    const ofWebhooks = inTurn(ready, {
      group: ({ webhookId }) => webhookId,
      taken: ({ webhookId }) => this.#inProgress.get(webhookId)?.count ?? 0,
      most: (each) => (this.#isStruggling(each) ? perStrugglingWebhook : perWebhook),
    })
    const ofApplications = inTurn(ofWebhooks, {
      group: ({ applicationId }) => applicationId,
      taken: ({ applicationId }) => perApplicationNow.get(applicationId) ?? 0,
      most: () => perApplication,
    })
    let freeForStruggling = parallelStruggling - this.#count(({ isStruggling }) => isStruggling)
    return ofApplications
      .filter((each) => !this.#isStruggling(each) || freeForStruggling-- > 0)
      .slice(0, this.free)
  }

  take(due: DueWebhook) {
    const { webhookId, applicationId } = due
    const { count } = this.#inProgress.get(webhookId) ?? { count: 0 }
    const isStruggling = this.#isStruggling(due)
    this.#inProgress.set(webhookId, { count: count + 1, applicationId, isStruggling })
  }

  release(webhookId: number, { isDelivered, isSlow }: EndedAttempt) {
    const slots = this.#inProgress.get(webhookId)!
    if (slots.count > 1) this.#inProgress.set(webhookId, { ...slots, count: slots.count - 1 })
    else this.#inProgress.delete(webhookId)
    if (isDelivered) this.#pausedUntil.delete(webhookId)
    else this.#pausedUntil.set(webhookId, performance.now() + holdMs)
    if (isSlow) this.#slowUntil.set(webhookId, performance.now() + slowForMs)
    else this.#slowUntil.delete(webhookId)
  }

  #isStruggling({ webhookId, isFailing }: DueWebhook): boolean {
    return isFailing || this.#slowUntil.has(webhookId)
  }

  #count(isCounted: (slots: InProgress) => boolean): number {
    const counted = this.#inProgress.values().filter(isCounted)
    return counted.reduce((sum, { count }) => sum + count, 0)
  }

  #countByApplication(): Map<number, number> {
    const counts = new Map<number, number>()
    for (const { applicationId, count } of this.#inProgress.values()) {
      counts.set(applicationId, (counts.get(applicationId) ?? 0) + count)
    }
    return counts
  }
}

function forgetPast(times: Map<number, number>) {
  const now = performance.now()
  for (const [webhook, until] of times) {
    if (until <= now) times.delete(webhook)
  }
}
