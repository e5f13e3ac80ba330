import { measureOwnTime } from '#core/database/own_time'
import { usesPostgres } from '#core/database/dialect'
import { type Place, WorkPlaces } from '#core/database/work_places'
import type { Changer } from '#core/http/caller_name'
import { Deadline } from '#core/values/deadline'

/** Work for which all others wait is followed by a pause if it took longer. */
const LONG_WORK_MS = 25
const MAX_PAUSE_MS = 4_000
/** Whose last work took longer counts as slow. */
const SLOW_MS = 5_000
const SLOW_BLOCKING_MS = 1_000
/** Longer than such a pause, and than work that is not slow. */
const MAX_WAIT_MS = 10_000

interface Options {
  /** How many run at a time. */
  capacity: number
  /** How many of them can be of applications whose last ones were slow. */
  forSlow: number
  /** Of the problem if the work cannot begin. */
  detail: string
  /** Whether all others wait for the work on SQLite, because it holds the connection. */
  blocksOnSqlite: boolean
}

/**
 * Limits work for applications: one at a time for each caller and for each application, so that
 * neither many applications of one administrator nor many administrators of one application keep
 * others waiting (conventions.md#large-changes).
 */
export class ChangeBudget {
  readonly #callers: WorkPlaces
  readonly #applications: WorkPlaces
  readonly #options: Options

  constructor(options: Options) {
    const { capacity, forSlow, detail } = options
    this.#options = options
    this.#callers = new WorkPlaces({
      capacity: Infinity,
      forSlow: Infinity,
      slowMs: SLOW_MS,
      detail,
    })
    this.#applications = new WorkPlaces({
      capacity,
      forSlow: () => (this.#isBlocking ? 1 : forSlow),
      slowMs: () => (this.#isBlocking ? SLOW_BLOCKING_MS : SLOW_MS),
      detail,
    })
  }

  get #isBlocking(): boolean {
    return this.#options.blocksOnSqlite && !usesPostgres()
  }

  /**
   * If all others wait for the work, the next long one begins only after a pause that is as long.
   *
   * @throws Overloaded if the work cannot begin in time
   */
  async run<T>({ caller, application }: Changer, work: () => Promise<T>): Promise<T> {
    const deadline = new Deadline(MAX_WAIT_MS)
    const ofCaller = await this.#callers.enter(caller, deadline)
    let place: Place
    try {
      place = await this.#applications.enter(application ?? caller, deadline)
    } catch (error) {
      ofCaller.leave()
      throw error
    }
    let tookMs = 0
    try {
      return await measureOwnTime(work, (ms) => {
        tookMs = ms
        place.recordTime(ms)
      })
    } finally {
      const release = () => {
        place.leave()
        ofCaller.leave()
      }
      if (!this.#isBlocking || tookMs < LONG_WORK_MS) release()
      else setTimeout(release, Math.min(tookMs, MAX_PAUSE_MS)).unref()
    }
  }
}
