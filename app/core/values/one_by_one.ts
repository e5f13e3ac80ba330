/** Does the work for a key one by one, in the order of the calls. */
export class OneByOne {
  readonly #last = new Map<string, Promise<void>>()

  async run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const end = () => {
      if (this.#last.get(key) === ended) this.#last.delete(key)
    }
    const ended: Promise<void> = result.then(end, end)
    this.#last.set(key, ended)
    return result
  }
}
