import type { RequestSource } from '#core/http/request_source'

/** A request whose body has not arrived completely. */
export interface IncompleteBody {
  readonly caller: RequestSource
  /** How many bytes have arrived. */
  readonly bytes: number
  /** Its neighbours in the list. */
  older: IncompleteBody | null
  newer: IncompleteBody | null
  /** Gives up the place; the response is 503. */
  giveUp(): void
}

/**
 * The requests of one class that wait for the rest of their body. When there is no room for another
 * one, the oldest request of the caller that holds the most gives up its place. Callers with many
 * slow bodies therefore lose places only to each other, and a body that arrives at once always
 * finds one.
 *
 * A linked list, because most bodies are complete at once, and adding one to a `Set` and deleting
 * it takes a fiftieth of a check.
 */
export class IncompleteBodies {
  #oldest: IncompleteBody | null = null
  #newest: IncompleteBody | null = null

  add(body: IncompleteBody) {
    body.older = this.#newest
    if (this.#newest) this.#newest.newer = body
    else this.#oldest = body
    this.#newest = body
  }

  /** Has no effect on a body that is not in the list. */
  delete(body: IncompleteBody) {
    const { older, newer } = body
    if (!older && this.#oldest !== body) return
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
    body.older = body.newer = null
  }

  /**
   * @param weigh How much of what is scarce a body holds
   *
   * @returns false when no body holds any of it
   */
  dropHeaviest(weigh: (body: IncompleteBody) => number): boolean {
    const held = new Map<RequestSource, number>()
    for (const body of this.#oldestFirst()) {
      held.set(body.caller, (held.get(body.caller) ?? 0) + weigh(body))
    }
    const most = Math.max(0, ...held.values())
    if (most === 0) return false
    for (const body of this.#oldestFirst()) {
      if (held.get(body.caller) !== most || weigh(body) === 0) continue
      body.giveUp()
      return true
    }
    return false
  }

  *#oldestFirst() {
    for (let body = this.#oldest; body; body = body.newer) yield body
  }
}
