/** Caches a result, even a failure, for a fixed time. Concurrent callers share one call. */
export class CachedCall<T> {
  readonly #call: () => Promise<T>
  readonly #ttlMs: number
  readonly #now: () => number
  #last?: { result: Promise<T>; startedAt: number; isPending: boolean }

  constructor(call: () => Promise<T>, ttlMs: number, now: () => number = () => performance.now()) {
    this.#call = call
    this.#ttlMs = ttlMs
    this.#now = now
  }

  get(): Promise<T> {
    if (this.#last && (this.#last.isPending || this.#now() - this.#last.startedAt < this.#ttlMs)) {
      return this.#last.result
    }
    const current = { result: this.#call(), startedAt: this.#now(), isPending: true }
    const settle = () => void (current.isPending = false)
    current.result.then(settle, settle)
    this.#last = current
    return current.result
  }
}
