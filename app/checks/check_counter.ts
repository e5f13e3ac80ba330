import { lastHour } from '#core/metrics/request_durations'
import type { Decision } from '#app/checks/values/decision'

const DAY_MS = 86_400_000

export interface CheckCount {
  appCode: string
  /** In UTC, as `YYYY-MM-DD`. */
  day: string
  count: number
}

/** Counts checks in memory, because storing each would cost more than the check. */
export class CheckCounter {
  /** By application, by number of the day since 1970. */
  #counts = new Map<number, Map<string, number>>()
  readonly #onCount: (checks: number) => void

  constructor(onCount: (checks: number) => void = () => {}) {
    this.#onCount = onCount
  }

  /** Leaves out undefined permissions, so that callers cannot invent any number of applications. */
  add(appCode: string, decisions: readonly Decision[], now = Date.now()) {
    const checks = decisions.filter(({ undefinedPermission }) => !undefinedPermission).length
    if (checks === 0) return
    this.#increase(Math.floor(now / DAY_MS), appCode, checks)
    this.#onCount(checks)
  }

  /** Returns the counts and resets them. */
  take(): CheckCount[] {
    const taken = [...this.#counts].flatMap(([day, counts]) =>
      [...counts].map(([appCode, count]) => ({ appCode, day: dateOf(day), count }))
    )
    this.#counts.clear()
    return taken
  }

  /** Adds what was taken and could not be stored. */
  putBack(taken: CheckCount[]) {
    for (const { appCode, day, count } of taken) {
      this.#increase(Date.parse(day) / DAY_MS, appCode, count)
    }
  }

  #increase(day: number, appCode: string, by: number) {
    const counts = this.#counts.get(day) ?? new Map<string, number>()
    counts.set(appCode, (counts.get(appCode) ?? 0) + by)
    this.#counts.set(day, counts)
  }
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The checks of this process that are not stored yet (platform.md#counted-checks). */
export const checkCounter = new CheckCounter((checks) => lastHour.addChecks(checks))
