/** A clock in milliseconds that only a test advances. */
export class TestClock {
  #ms = 1_000_000

  readonly now = () => this.#ms

  advance(ms: number) {
    this.#ms += ms
  }
}
