import { FairQueue, type Owner } from '#core/values/fair_queue'
import { RecentUse } from '#core/values/recent_use'

/** For how long it counts that the handshakes for an owner were costly. */
const HALF_LIFE_MS = 60_000
/** Not counted: an ordinary handshake takes less. */
const ORDINARY_MS = 5
/** Beyond that, the work of an owner waits. */
const LITTLE_MS = 10
/** Work that takes longer is followed by a rest of so many times its length. */
const LONG_MS = 20
const REST_FACTOR = 3
const SLICE_MS = 5

/**
 * Runs the work of TLS handshakes, which nothing can interrupt: verifying a chain of certificates
 * can take a quarter of a second. All together take at most a quarter of the time, and those for
 * whom nothing costly was done lately do not wait for the others.
 */
export class HandshakeTurns {
  readonly #waiting = new FairQueue<() => void>(HALF_LIFE_MS)
  readonly #recentUse = new RecentUse(HALF_LIFE_MS)
  /** A `performance.now()` timestamp. */
  #restsUntil = 0
  #timer: NodeJS.Timeout | null = null

  /** @param ended called after the work */
  run(work: () => void, owner: Owner, ended: () => void) {
    const measured = () => {
      this.#measure(work, owner)
      ended()
    }
    if (this.#recentUse.of(nameOf(owner)) < LITTLE_MS) return measured()
    if (this.#waiting.isEmpty && !this.#isResting) return measured()
    this.#waiting.add(measured, owner)
    this.#schedule()
  }

  get #isResting(): boolean {
    return performance.now() < this.#restsUntil
  }

  #measure(work: () => void, owner: Owner) {
    const startedAt = performance.now()
    work()
    const endedAt = performance.now()
    const ms = endedAt - startedAt
    this.#recentUse.add(nameOf(owner), Math.max(0, ms - ORDINARY_MS))
    this.#waiting.recordUse(owner, ms)
    if (ms > LONG_MS) this.#restsUntil = Math.max(this.#restsUntil, endedAt + ms * REST_FACTOR)
  }

  #schedule() {
    const restMs = Math.max(0, this.#restsUntil - performance.now())
    this.#timer ??= setTimeout(() => this.#serve(), restMs)
  }

  #serve() {
    this.#timer = null
    const until = performance.now() + SLICE_MS
    while (!this.#waiting.isEmpty && !this.#isResting && performance.now() < until) {
      this.#waiting.take()!()
    }
    if (!this.#waiting.isEmpty) this.#schedule()
  }
}

const nameOf = ({ group, member }: Owner) => JSON.stringify([group, member])
