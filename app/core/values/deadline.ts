export class Deadline {
  readonly #at: number

  constructor(budgetMs: number) {
    this.#at = performance.now() + budgetMs
  }

  /** Milliseconds. */
  get left(): number {
    return Math.max(0, this.#at - performance.now())
  }

  get isOver(): boolean {
    return this.left === 0
  }
}
