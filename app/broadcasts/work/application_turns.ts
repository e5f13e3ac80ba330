interface Candidate {
  id: number
  application: number | null
}

/**
 * Whose broadcast comes next: applications take turns, and so do the broadcasts of each. However
 * many one application has running, another one waits for one piece of work, not for all of them.
 */
export class ApplicationTurns {
  #application = 0
  /** The broadcast that came last, by application. */
  readonly #broadcasts = new Map<number, number>()

  /** All candidates in rounds, each with at most one of every application. */
  rounds<T extends Candidate>(candidates: T[]): T[][] {
    const byApplication = Map.groupBy(candidates, keyOf)
    for (const key of this.#broadcasts.keys()) {
      if (!byApplication.has(key)) this.#broadcasts.delete(key)
    }
    const applications = after(this.#application, [...byApplication.keys()], (key) => key)
    const queues = applications.map((key) =>
      after(this.#broadcasts.get(key) ?? 0, byApplication.get(key)!, ({ id }) => id)
    )
    const longest = Math.max(0, ...queues.map(({ length }) => length))
    return Array.from({ length: longest }, (_, round) => queues.flatMap((own) => own[round] ?? []))
  }

  /** This one has had its turn, whether or not there was anything to do. */
  took(candidate: Candidate) {
    this.#application = keyOf(candidate)
    this.#broadcasts.set(this.#application, candidate.id)
  }
}

/** Broadcasts of deleted applications, which only need to be ended, share a turn. */
const keyOf = ({ application }: Candidate) => application ?? 0

/** Everything in ascending order, but first what comes after `last`. */
function after<T>(last: number, all: T[], numberOf: (one: T) => number): T[] {
  const sorted = all.toSorted((one, other) => numberOf(one) - numberOf(other))
  const next = sorted.findIndex((one) => numberOf(one) > last)
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
}
