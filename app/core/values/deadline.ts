export class Deadline {
  readonly #at: number

  constructor(budgetMs: number) {
    this.#at = performance.now() + budgetMs
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now())
  }

  get hasPassed(): boolean {
    return this.remainingMs === 0
  }
}
