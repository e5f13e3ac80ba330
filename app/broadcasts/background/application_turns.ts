export interface Candidate {
  id: number
  /** Null if the application was deleted. */
  application: number | null
}

/**
 * Decides whose broadcast comes next. Applications take turns, and so do the broadcasts of each
 * application, so that many broadcasts of one application do not delay those of the others.
 */
export class ApplicationTurns {
  #lastApplication = 0
  /** The last broadcast of each application. */
  readonly #lastBroadcasts = new Map<number, number>()

  /** All candidates in rounds. A round has at most one candidate of each application. */
  rounds<T extends Candidate>(candidates: T[]): T[][] {
    const byApplication = Map.groupBy(candidates, applicationKey)
    for (const key of this.#lastBroadcasts.keys()) {
      if (!byApplication.has(key)) this.#lastBroadcasts.delete(key)
    }
    const applications = startAfter(this.#lastApplication, [...byApplication.keys()], (key) => key)
    const queues = applications.map((key) =>
      startAfter(this.#lastBroadcasts.get(key) ?? 0, byApplication.get(key)!, ({ id }) => id)
    )
    const longest = Math.max(0, ...queues.map(({ length }) => length))
    return Array.from({ length: longest }, (_, round) =>
      queues.flatMap((queue) => queue[round] ?? [])
    )
  }

  /** A turn counts even if there was nothing to do. */
  recordTurn(candidate: Candidate) {
    this.#lastApplication = applicationKey(candidate)
    this.#lastBroadcasts.set(this.#lastApplication, candidate.id)
  }
}

/** Broadcasts of deleted applications only need to be ended, so they share one turn. */
export const applicationKey = ({ application }: Candidate) => application ?? 0

/** Sorts in ascending order and moves everything up to `last` to the end. */
function startAfter<T>(last: number, items: T[], numberOf: (item: T) => number): T[] {
  const sorted = items.toSorted((one, other) => numberOf(one) - numberOf(other))
  const next = sorted.findIndex((item) => numberOf(item) > last)
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
}
