/** Caches a result, even a failure, for a fixed time. Concurrent callers share one call. */
export class CachedCall<T> {
  readonly #ask: () => Promise<T>
  readonly #everyMs: number
  readonly #now: () => number
  #last?: { answer: Promise<T>; askedAt: number; isPending: boolean }

  constructor(ask: () => Promise<T>, everyMs: number, now: () => number = () => performance.now()) {
    this.#ask = ask
    this.#everyMs = everyMs
    this.#now = now
  }

  get(): Promise<T> {
    if (this.#last && (this.#last.isPending || this.#now() - this.#last.askedAt < this.#everyMs)) {
      return this.#last.answer
    }
    const asked = { answer: this.#ask(), askedAt: this.#now(), isPending: true }
    const settle = () => void (asked.isPending = false)
    asked.answer.then(settle, settle)
    this.#last = asked
    return asked.answer
  }
}
