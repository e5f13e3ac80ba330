import { FairQueue } from '#core/values/fair_queue'

/** How many permissions are begun in one turn of the event loop: about 5 ms if none is cached. */
const PERMISSIONS_PER_TURN = 1_000

interface WaitingBulk {
  permissions: number
  begin: () => void
}

/** Begins bulk checks a few at a time, so that other requests get turns. Users take turns. */
export class BulkTurns {
  readonly #waiting = new FairQueue<WaitingBulk>()
  #left = PERMISSIONS_PER_TURN
  #isScheduled = false

  /** @returns a promise only if the check has to wait */
  wait(email: string, permissions: number): Promise<void> | undefined {
    this.#schedule()
    if (this.#waiting.isEmpty && this.#left > 0) {
      this.#left -= permissions
      return undefined
    }
    return new Promise((begin) => this.#waiting.add({ permissions, begin }, { group: email }))
  }

  #schedule() {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#beginSome())
  }

  #beginSome() {
    this.#isScheduled = false
    this.#left = PERMISSIONS_PER_TURN
    while (!this.#waiting.isEmpty && this.#left > 0) {
      const { permissions, begin } = this.#waiting.take()!
      this.#left -= permissions
      begin()
    }
    if (!this.#waiting.isEmpty) this.#schedule()
  }
}
