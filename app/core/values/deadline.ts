/** A point in time by which something has to be over, handed down to everything that may wait. */
export class Deadline {
  readonly #at: number

  constructor(budgetMs: number) {
    this.#at = performance.now() + budgetMs
  }

  /** Milliseconds left, never below zero. */
  get left(): number {
    return Math.max(0, this.#at - performance.now())
  }

  get isOver(): boolean {
    return this.left === 0
  }
}
