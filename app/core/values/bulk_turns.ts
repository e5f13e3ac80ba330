import { FairQueue, type Owner } from '#core/values/fair_queue'

interface WaitingBulk {
  size: number
  begin: () => void
}

/** Begins requests with many items a few at a time, so that others get turns. Owners take turns. */
export class BulkTurns {
  readonly #perTurn: number
  readonly #waiting = new FairQueue<WaitingBulk>()
  #left: number
  #isScheduled = false

  /** @param perTurn how many items are begun in one turn of the event loop, or a few more */
  constructor(perTurn: number) {
    this.#perTurn = perTurn
    this.#left = perTurn
  }

  /**
   * @param size how many items the request has
   * @returns a promise only if the request has to wait
   */
  wait(owner: Owner, size: number): Promise<void> | undefined {
    this.#schedule()
    if (this.#waiting.isEmpty && this.#left > 0) {
      this.#left -= size
      return undefined
    }
    return new Promise((begin) => this.#waiting.add({ size, begin }, owner))
  }

  #schedule() {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#beginSome())
  }

  #beginSome() {
    this.#isScheduled = false
    this.#left = this.#perTurn
    while (!this.#waiting.isEmpty && this.#left > 0) {
      const { size, begin } = this.#waiting.take()!
      this.#left -= size
      begin()
    }
    if (!this.#waiting.isEmpty) this.#schedule()
  }
}
