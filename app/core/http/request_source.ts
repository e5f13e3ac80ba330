/** A user, a key, or a client network. Exists only while it has a request or a connection. */
export class RequestSource {
  /** How much it holds of each share, by number. */
  readonly held: number[] = []
  #uses = 0

  constructor(readonly key: string) {}

  /** Returns the same object for a key until every holder has called `release`. */
  static forKey(key: string): RequestSource {
    let source = sources.get(key)
    if (!source) sources.set(key, (source = new RequestSource(key)))
    return source.retain()
  }

  retain(): this {
    this.#uses++
    return this
  }

  release() {
    if (--this.#uses === 0) sources.delete(this.key)
  }
}

const sources = new Map<string, RequestSource>()
