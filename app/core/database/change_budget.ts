import { usesPostgres } from '#core/database/dialect'
import { MAX_WAIT_MS, reserveIn } from '#core/database/work_budgets'
import type { Changer } from '#core/http/caller_name'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'

/** On SQLite, work that took longer is followed by a pause. */
const LONG_WORK_MS = 250
/** Shorter than the next work waits. */
const MAX_PAUSE_MS = 4_000

/**
 * Limits work that holds a connection in one transaction: one at a time for each caller and for
 * each application, so that neither many applications of one administrator nor many administrators
 * of one application keep others waiting (conventions.md#large-changes).
 */
export class ChangeBudget {
  readonly #callers = new Budget(Infinity, 1)
  readonly #applications: Budget
  readonly #detail: string

  /**
   * @param capacity how many run at a time
   * @param detail of the problem if the work cannot begin
   */
  constructor(capacity: number, detail: string) {
    this.#applications = new Budget(capacity, 1)
    this.#detail = detail
  }

  /**
   * On SQLite, where all others wait for the work, the next one begins only after a pause of the
   * same length.
   *
   * @throws Overloaded if the work cannot begin in time
   */
  async run<T>({ caller, application }: Changer, work: () => Promise<T>): Promise<T> {
    const deadline = new Deadline(MAX_WAIT_MS)
    const ofCaller = await this.#reserve(this.#callers, caller, deadline)
    const holder = application ?? caller
    const ofApplication = await this.#reserve(this.#applications, holder, deadline).catch(
      (error: unknown) => {
        ofCaller.release()
        throw error
      }
    )
    const release = () => {
      ofApplication.release()
      ofCaller.release()
    }
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const took = performance.now() - startedAt
      if (usesPostgres() || took < LONG_WORK_MS) release()
      else setTimeout(release, Math.min(took, MAX_PAUSE_MS)).unref()
    }
  }

  #reserve(budget: Budget, holder: string, { remainingMs: maxWaitMs }: Deadline) {
    return reserveIn(budget, { caller: holder, detail: this.#detail, maxWaitMs })
  }
}
