/**
 * Somebody who makes requests: a person, a key, or an address nobody has vouched for. Kept only
 * while a request or a connection of theirs is there.
 */
export class Caller {
  /** What they hold of each share, by the share's number. */
  readonly held: number[] = []
  #uses = 0

  constructor(private readonly key: string) {}

  /** Answers the same caller to everybody who asks for this key until all have let go. */
  static named(key: string): Caller {
    let caller = callers.get(key)
    if (!caller) callers.set(key, (caller = new Caller(key)))
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

const callers = new Map<string, Caller>()
