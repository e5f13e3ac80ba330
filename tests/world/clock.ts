/** A clock that stands still until a test moves it, in milliseconds. */
export class TestClock {
  #ms = 1_000_000

  readonly now = () => this.#ms

  advance(ms: number) {
    this.#ms += ms
  }
}
