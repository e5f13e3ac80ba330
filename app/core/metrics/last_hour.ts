const MINUTES = 60

/** Requests that ended, and permissions that were checked, in one minute. */
export interface MinuteOfRequests {
  /** Minutes since 1970 */
  minute: number
  /** Responses with a status of 500 or above */
  failed: number
  /** By duration: one more than there are bounds, the last one unbounded */
  counts: number[]
  /** Permissions that were checked; missing in reports of earlier versions */
  checks?: number
}

/** Counts requests by minute and duration, and checks by minute, in a fixed amount of memory. */
export class LastHour {
  readonly #buckets: number
  readonly #now: () => number
  readonly #minutes: (Required<MinuteOfRequests> | undefined)[] = Array.from({ length: MINUTES })

  constructor(buckets: number, now: () => number = Date.now) {
    this.#buckets = buckets
    this.#now = now
  }

  add(bucket: number, status: number) {
    const current = this.#current()
    current.counts[bucket]++
    if (status >= 500) current.failed++
  }

  addChecks(checks: number) {
    this.#current().checks += checks
  }

  #current() {
    const minute = Math.floor(this.#now() / 60_000)
    const existing = this.#minutes[minute % MINUTES]
    if (existing?.minute === minute) return existing
    const counts = Array.from({ length: this.#buckets }, () => 0)
    return (this.#minutes[minute % MINUTES] = { minute, failed: 0, counts, checks: 0 })
  }

  /** Minutes with requests or checks, the oldest first. */
  read(): MinuteOfRequests[] {
    const oldest = Math.floor(this.#now() / 60_000) - MINUTES
    return this.#minutes
      .filter((one) => one !== undefined && one.minute > oldest)
      .sort((one, other) => one!.minute - other!.minute) as MinuteOfRequests[]
  }
}
