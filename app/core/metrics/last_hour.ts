const MINUTES = 60

/** Requests that ended in one minute. */
export interface MinuteOfRequests {
  /** Minutes since 1970 */
  minute: number
  /** Responses with a status of 500 or above */
  failed: number
  /** By duration: one more than there are bounds, the last one unbounded */
  counts: number[]
}

/** Counts requests by minute and duration, in a fixed amount of memory. */
export class LastHour {
  readonly #buckets: number
  readonly #now: () => number
  readonly #minutes: (MinuteOfRequests | undefined)[] = Array.from({ length: MINUTES })

  constructor(buckets: number, now: () => number = Date.now) {
    this.#buckets = buckets
    this.#now = now
  }

  add(bucket: number, status: number) {
    const minute = Math.floor(this.#now() / 60_000)
    let current = this.#minutes[minute % MINUTES]
    if (current?.minute !== minute) {
      const counts = Array.from({ length: this.#buckets }, () => 0)
      current = { minute, failed: 0, counts }
      this.#minutes[minute % MINUTES] = current
    }
    current.counts[bucket]++
    if (status >= 500) current.failed++
  }

  /** Minutes with requests, the oldest first. */
  read(): MinuteOfRequests[] {
    const oldest = Math.floor(this.#now() / 60_000) - MINUTES
    return this.#minutes
      .filter((one) => one !== undefined && one.minute > oldest)
      .sort((one, other) => one!.minute - other!.minute) as MinuteOfRequests[]
  }
}
