/** A person, a key, or a client network. Exists only while it has a request or a connection. */
export class RequestSource {
  /** How much it holds of each share, by number. */
  readonly held: number[] = []
  #uses = 0

  constructor(private readonly key: string) {}

  /** Returns the same object for a key until every holder has called `release`. */
  static named(key: string): RequestSource {
    let caller = callers.get(key)
    if (!caller) callers.set(key, (caller = new RequestSource(key)))
    return caller.keep()
  }

  keep(): this {
    this.#uses++
    return this
  }

  letGo() {
    if (--this.#uses === 0) callers.delete(this.key)
  }
}

const callers = new Map<string, RequestSource>()
