import { LRUCache } from 'lru-cache'

interface Window {
  count: number
  /** In milliseconds of the clock. */
  endsAt: number
}

/**
 * Counts per key in windows of fixed length, each beginning with the first count. Keys beyond the capacity push out those
 * that were counted longest ago, so that no flood of keys costs memory.
 */
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

  /** How many there are now in the present window, this one included. */
  add(key: string): number {
    const window = this.#present(key)
    if (window) return ++window.count
    this.#windows.set(key, { count: 1, endsAt: this.#now() + this.#lengthMs })
    return 1
  }

  /** How many there are in the present window. */
  count(key: string): number {
    return this.#present(key)?.count ?? 0
  }

  /** Seconds until the present window ends, at least 1. */
  secondsLeft(key: string): number {
    const window = this.#present(key)
    return window ? Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1_000)) : 1
  }

  /** Looking refreshes a key's place: whoever is refused all the time is not forgotten first. */
  #present(key: string): Window | undefined {
    if (this.#windows.size === 0) return undefined
    const window = this.#windows.get(key)
    return window && window.endsAt > this.#now() ? window : undefined
  }
}
