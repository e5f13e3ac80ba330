import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { reasonCode } from '#app/delivery/values/delivery_outcome'

/** How many recipients something is true of. */
export interface ReasonCount {
  reason: string
  count: number
}

/** Counts what plans decided. */
export class AudienceTally {
  readonly channels: Record<Channel, number> = { email: 0, push: 0 }
  readonly #skipped = new Map<string, number>()
  readonly #later = new Map<string, number>()

  add({ channels, later, skipped }: DeliveryPlan) {
    if (skipped !== null) return this.addSkipped(skipped)
    for (const channel of channels) this.channels[channel]++
    if (later !== null) increase(this.#later, later.reason)
  }

  /** @param reason A code, and perhaps a text after a colon */
  addSkipped(reason: string, count = 1) {
    increase(this.#skipped, reasonCode(reason), count)
  }

  get skipped(): ReasonCount[] {
    return listed(this.#skipped)
  }

  get later(): ReasonCount[] {
    return listed(this.#later)
  }
}

const increase = (counts: Map<string, number>, reason: string, by = 1) =>
  counts.set(reason, (counts.get(reason) ?? 0) + by)

/** The most frequent comes first. */
const listed = (counts: Map<string, number>) =>
  [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((one, other) => other.count - one.count)
