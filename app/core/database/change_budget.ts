import { measureWork } from '#core/database/connection_waits'
import { usesPostgres } from '#core/database/dialect'
import { reserveIn } from '#core/database/work_budgets'
import { type Place, SLOW_MS, WorkPlaces } from '#core/database/work_places'
import type { Changer } from '#core/http/caller_name'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'

/** On SQLite, work that took longer is followed by a pause. */
const LONG_WORK_MS = 250
const MAX_PAUSE_MS = 4_000
/** Longer than such a pause and other long work. */
const MAX_WAIT_MS = 10_000

/**
 * Limits work that holds a connection in one transaction: one at a time for each caller and for
 * each application, so that neither many applications of one administrator nor many administrators
 * of one application keep others waiting (conventions.md#large-changes).
 */
export class ChangeBudget {
  readonly #callers = new Budget(Infinity, 1)
  readonly #applications: WorkPlaces
  readonly #detail: string

  /**
   * @param capacity how many run at a time
   * @param detail of the problem if the work cannot begin
   */
  constructor(capacity: number, detail: string) {
    this.#detail = detail
    this.#applications = new WorkPlaces({
      capacity,
      detail,
      // On SQLite, all others wait for long work.
      forSlow: () => (usesPostgres() ? capacity - 1 : 1),
      slowMs: () => (usesPostgres() ? SLOW_MS : LONG_WORK_MS),
    })
  }

  /**
   * On SQLite, where all others wait for the work, the next long one begins only after a pause of
   * the same length.
   *
   * @throws Overloaded if the work cannot begin in time
   */
  async run<T>({ caller, application }: Changer, work: () => Promise<T>): Promise<T> {
    const deadline = new Deadline(MAX_WAIT_MS)
    const { remainingMs: maxWaitMs } = deadline
    const ofCaller = await reserveIn(this.#callers, { caller, detail: this.#detail, maxWaitMs })
    let place: Place
    try {
      place = await this.#applications.enter(application ?? caller, deadline)
    } catch (error) {
      ofCaller.release()
      throw error
    }
    let tookMs = 0
    try {
      return await measureWork(work, (ms) => {
        tookMs = ms
        place.recordTime(ms)
      })
    } finally {
      const release = () => {
        place.leave()
        ofCaller.release()
      }
      if (usesPostgres() || tookMs < LONG_WORK_MS) release()
      else setTimeout(release, Math.min(tookMs, MAX_PAUSE_MS)).unref()
    }
  }
}
