/**
 * The sender of requests: a person, a key, or a client address that has not authenticated. Kept
 * only while it has a request or a connection.
 */
export class RequestSource {
  /** How much of each share it holds, by the share's number. */
  readonly held: number[] = []
  #uses = 0

  constructor(private readonly key: string) {}

  /** Returns the same caller for the same key until every holder has called `letGo`. */
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
