import { LRUCache } from 'lru-cache'

interface Window {
  count: number
  endsAt: number
}

/** Windows start with the first count. The least recently used keys are dropped. */
export class WindowCounter {
  readonly #windows: LRUCache<string, Window>
  readonly #lengthMs: number
  readonly #now: () => number

  constructor({
    lengthMs = 60_000,
    capacity = 20_000,
    now = () => performance.now(),
  }: { lengthMs?: number; capacity?: number; now?: () => number } = {}) {
    this.#windows = new LRUCache({ max: capacity })
    this.#lengthMs = lengthMs
    this.#now = now
  }

  /** Returns the count of the current window. */
  add(key: string, amount = 1): number {
    const window = this.#current(key)
    if (window) return (window.count += amount)
    this.#windows.set(key, { count: amount, endsAt: this.#now() + this.#lengthMs })
    return amount
  }

  count(key: string): number {
    return this.#current(key)?.count ?? 0
  }

  secondsLeft(key: string): number {
    const window = this.#current(key)
    return window ? Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1_000)) : 1
  }

  /** Reading counts as use, so a client that is refused constantly is not dropped first. */
  #current(key: string): Window | undefined {
    if (this.#windows.size === 0) return undefined
    const window = this.#windows.get(key)
    return window && window.endsAt > this.#now() ? window : undefined
  }
}
