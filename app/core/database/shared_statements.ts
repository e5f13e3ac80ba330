import { isDatabaseUnavailable } from '#core/database/errors'
import { outsideRequests } from '#core/http/outside_requests'

/** After this, a group may be waiting for a lock. */
const SLOW_MS = 25

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Reads or writes together what callers want to read or write at the same time: a statement or a
 * commit costs hardly more for twenty than for one. Nobody waits for others to come: a group begins
 * in the next turn of the event loop, or after the current one, or when that is slow. If one item
 * makes it fail, each of them is tried alone.
 */
export class SharedStatements<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>
  readonly #most: number
  #waiting: Waiting<Item, Result>[] = []
  /** The group that others wait for. */
  #current: object | null = null

  /**
   * @param run All or nothing. Returns the results in the order of the items.
   * @param most items of one group
   */
  constructor(run: (items: Item[]) => Promise<Result[]>, most: number) {
    this.#run = run
    this.#most = most
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  #schedule() {
    if (this.#current !== null || this.#waiting.length === 0) return
    const group = {}
    this.#current = group
    outsideRequests(() => setImmediate(() => void this.#runGroup(group)))
  }

  async #runGroup(group: object) {
    const startNext = () => {
      if (this.#current !== group) return
      this.#current = null
      this.#schedule()
    }
    const slow = setTimeout(startNext, SLOW_MS)
    await this.#settle(this.#waiting.splice(0, this.#most))
    clearTimeout(slow)
    startNext()
  }

  /** Never rejects. */
  async #settle(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      // Nobody knows whether an unavailable database has committed: a repetition may write twice.
      if (group.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of group) reject(error)
      } else await Promise.all(group.map((one) => this.#settle([one])))
    }
  }
}
