import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import type { WorkSource } from '#core/background/work_source'
import { usesPostgres } from '#core/database/dialect'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { describeError } from '#core/exceptions/describe_error'
import type { Sweep } from '#core/retention/sweep'
import retentionConfig from '#config/retention'

/** Runs one step of each sweep at a time. On PostgreSQL, each sweep runs in one process. */
export class RetentionSource implements WorkSource {
  readonly name = 'retention'
  readonly #sweeps: Sweep[]
  #nextCheckAt = 0

  constructor(sweeps: Sweep[]) {
    this.#sweeps = sweeps
  }

  async work(stopping: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#nextCheckAt) return false
    let hasRemoved = false
    for (const sweep of this.#sweeps) {
      if (stopping.aborted) return hasRemoved
      if ((await this.#step(sweep)) === 0) continue
      hasRemoved = true
      await pause(retentionConfig.pauseMs, null, { signal: stopping }).catch(() => {})
    }
    if (hasRemoved) return true
    this.#nextCheckAt = performance.now() + retentionConfig.checkIntervalMs
    return false
  }

  async #step(sweep: Sweep): Promise<number> {
    try {
      const now = DateTime.utc()
      // On SQLite, even a delete without matching rows blocks other writers.
      if (!(await sweep.isDue(now))) return 0
      const limit = usesPostgres() ? retentionConfig.step.pg : retentionConfig.step.sqlite
      const removed = await transaction(async (trx) => {
        if (!(await tryLockUntilCommit(trx, `retention of ${sweep.name}`))) return 0
        return sweep.deleteExpired(now, limit, trx)
      })
      logger.debug({ rows: removed }, `Removed expired ${sweep.name}`)
      return removed
    } catch (error) {
      logger.error({ error: describeError(error) }, `Removing expired ${sweep.name} failed`)
      return 0
    }
  }
}
