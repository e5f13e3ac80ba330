import { FairQueue } from '#core/values/fair_queue'

/** Per turn of the event loop, for requests that arrive, and again for those that wait. */
const SLICE_MS = 10

/**
 * Lets clients alternate if more requests arrive at once than can begin in a slice of time. Node
 * hands over whatever has arrived, and a request can take milliseconds before it is refused. So a
 * client with thousands of connections could keep the requests of all others behind its own.
 */
export class RequestTurns {
  readonly #waiting = new FairQueue<() => void>()
  /** Since when requests have arrived in this turn; null if none has. */
  #since: number | null = null
  /** Clients that began a request in this turn although the slice was over. */
  readonly #late = new Set<string>()
  #isScheduled = false

  /** Begins a request now, or after those of clients that have used less time lately. */
  begin(client: string, start: () => void) {
    const now = performance.now()
    this.#since ??= now
    this.#schedule()
    const isOver = now - this.#since >= SLICE_MS
    if (this.#waiting.has(client) || (isOver && this.#late.has(client))) {
      this.#waiting.add(start, { group: client })
    } else {
      if (isOver) this.#late.add(client)
      start()
    }
  }

  #schedule() {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#since = null
      this.#late.clear()
      this.#serveWaiting()
      if (!this.#waiting.isEmpty) this.#schedule()
    })
  }

  #serveWaiting() {
    const endsAt = performance.now() + SLICE_MS
    while (!this.#waiting.isEmpty && performance.now() < endsAt) this.#waiting.take()!()
  }
}

export const requestTurns = new RequestTurns()
