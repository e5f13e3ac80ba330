import { AsyncLocalStorage } from 'node:async_hooks'
import { usesPostgres } from '#core/database/dialect'
import { isDatabaseUnavailable } from '#core/database/errors'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Only SQLite has a single writer anyway. On PostgreSQL, a group would lock rows of many users. */
const sharesWrites = () => !usesPostgres()

/**
 * Writes together what callers want to write at the same time: on SQLite, a commit costs as much
 * for twenty as for one. Nobody waits for others to come: a write begins in the next turn of the
 * event loop, or after the current one. If one item makes it fail, all of them are written alone.
 */
export class SharedWrites<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>
  readonly #most: number
  readonly #isShared: () => boolean
  /** A write of several requests takes the context of none, such as its time limit. */
  readonly #outsideRequests = AsyncLocalStorage.snapshot()
  #waiting: Waiting<Item, Result>[] = []
  #isWriting = false

  /**
   * @param write All or nothing. Returns the results in the order of the items.
   * @param most items of one write
   */
  constructor(
    write: (items: Item[]) => Promise<Result[]>,
    most: number,
    isShared: () => boolean = sharesWrites
  ) {
    this.#write = write
    this.#most = most
    this.#isShared = isShared
  }

  async add(item: Item): Promise<Result> {
    if (!this.#isShared()) {
      const [result] = await this.#write([item])
      return result
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  #schedule() {
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    this.#outsideRequests(() => setImmediate(() => void this.#writeGroup()))
  }

  async #writeGroup() {
    await this.#settle(this.#waiting.splice(0, this.#most))
    this.#isWriting = false
    this.#schedule()
  }

  /** Never rejects. */
  async #settle(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      // Nobody knows whether an unavailable database has committed: a repetition may write twice.
      if (group.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of group) reject(error)
      } else for (const one of group) await this.#settle([one])
    }
  }
}
