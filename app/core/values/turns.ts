import { setImmediate as nextTurn } from 'node:timers/promises'

/** Divides long computations, so that other requests get turns. */
export class Turns {
  readonly #lengthMs: number
  #start = performance.now()

  constructor(lengthMs = 5) {
    this.#lengthMs = lengthMs
  }

  get isOver(): boolean {
    return performance.now() - this.#start >= this.#lengthMs
  }

  async next() {
    await nextTurn()
    this.#start = performance.now()
  }
}
