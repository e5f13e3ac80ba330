import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { usesPostgres } from '#core/database/dialect'
import { isAlone } from '#core/database/serialize'
import { transaction } from '#core/database/transaction'
import { describeError } from '#core/exceptions/describe_error'
import type { Sweep } from '#core/retention/sweep'
import retentionConfig from '#config/retention'

/**
 * Removes what is old enough, in the background: a step of each sweep, a pause, and the next, until nothing is left. On
 * PostgreSQL one process at a time is at each sweep.
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

  /** One that fails keeps none of the others. */
  async #step(sweep: Sweep): Promise<number> {
    try {
      const now = DateTime.utc()
      // Most of the time nothing is, and on SQLite even a removal of nothing would hold up whoever writes.
      if (!(await sweep.isDue(now))) return 0
      const limit = usesPostgres() ? retentionConfig.step.pg : retentionConfig.step.sqlite
      const removed = await transaction(async (trx) => {
        if (!(await isAlone(trx, `retention of ${sweep.name}`))) return 0
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
