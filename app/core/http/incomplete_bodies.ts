import type { RequestSource } from '#core/http/request_source'

/** A request whose body has not arrived completely. */
export interface IncompleteBody {
  readonly caller: RequestSource
  /** How many bytes have arrived. */
  readonly bytes: number
  /** Gives up the place; the response is 503. */
  giveUp(): void
}

/**
 * The requests of one class that wait for the rest of their body. When there is no room for another
 * one, the oldest request of the caller that holds the most gives up its place. Callers with many
 * slow bodies therefore lose places only to each other, and a body that arrives at once always
 * finds one.
 */
export class IncompleteBodies {
  /** Oldest first. */
  readonly #all = new Set<IncompleteBody>()

  add(body: IncompleteBody) {
    this.#all.add(body)
  }

  delete(body: IncompleteBody) {
    this.#all.delete(body)
  }

  /**
   * @param weigh How much of what is scarce a body holds
   *
   * @returns false when no body holds any of it
   */
  dropHeaviest(weigh: (body: IncompleteBody) => number): boolean {
    const held = new Map<RequestSource, number>()
    for (const body of this.#all) {
      held.set(body.caller, (held.get(body.caller) ?? 0) + weigh(body))
    }
    const most = Math.max(0, ...held.values())
    if (most === 0) return false
    for (const body of this.#all) {
      if (held.get(body.caller) !== most || weigh(body) === 0) continue
      this.#all.delete(body)
      body.giveUp()
      return true
    }
    return false
  }
}
