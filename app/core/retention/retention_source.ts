import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { usesPostgres } from '#core/database/dialect'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { describeError } from '#core/exceptions/describe_error'
import type { Sweep } from '#core/retention/sweep'
import retentionConfig from '#config/retention'

/**
 * Deletes expired rows in the background: one step of each sweep, a pause, and the next step, until
 * none are left. On PostgreSQL only one process at a time runs each sweep.
 */
export class RetentionSource {
  readonly name = 'retention'
  readonly #sweeps: Sweep[]
  #lookAgainAt = 0

  constructor(sweeps: Sweep[]) {
    this.#sweeps = sweeps
  }

  async work(stopping: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#lookAgainAt) return false
    let removed = 0
    for (const sweep of this.#sweeps) {
      if (!stopping.aborted) removed += await this.#step(sweep)
    }
    if (removed > 0) {
      await pause(retentionConfig.pauseMs, null, { signal: stopping }).catch(() => {})
      return true
    }
    this.#lookAgainAt = performance.now() + retentionConfig.lookEveryMs
    return false
  }

  /** A failing sweep does not stop the others. */
  async #step(sweep: Sweep): Promise<number> {
    try {
      const now = DateTime.utc()
      // Usually nothing is expired, and on SQLite even an empty delete blocks other writers.
      if (!(await sweep.isDue(now))) return 0
      const limit = usesPostgres() ? retentionConfig.step.pg : retentionConfig.step.sqlite
      const removed = await transaction(async (trx) => {
        if (!(await tryLockUntilCommit(trx, `retention of ${sweep.name}`))) return 0
        return sweep.removeSome(now, limit, trx)
      })
      logger.debug({ rows: removed }, `Removed expired ${sweep.name}`)
      return removed
    } catch (error) {
      logger.error({ error: describeError(error) }, `Removing expired ${sweep.name} failed`)
      return 0
    }
  }
}
