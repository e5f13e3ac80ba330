import { randomUUID } from 'node:crypto'
import logger from '@adonisjs/core/services/logger'
import { DateTime } from 'luxon'
import type { WorkSource } from '#core/background/work_source'
import { beginRun, runRecorded } from '#app/identity_provider/reconciliation/recorded_run'
import { acquireLease, extendLease } from '#core/database/leases/leases'
import { newRunSummary } from '#app/identity_provider/reconciliation/reconciliation'
import identityProvider from '#config/identity_provider'

/** Whoever holds this lease makes the scheduled run. */
const LEASE = 'scheduled reconciliation'
/** When to repeat a run that failed or whose process died. */
const RETRY_AFTER = { minutes: 15 }
const CHECK_EVERY_MS = 60_000
const HOUR_MS = 3_600_000

/** Reconciles users every `IDP_RECONCILE_HOURS`, first at startup, in one of all processes. */
export class ReconciliationSource implements WorkSource {
  readonly name = 'reconciliation with the identity provider'
  #nextCheckAt = 0

  constructor(private readonly everyHours = identityProvider.reconcileHours) {}

  async work(stopping: AbortSignal) {
    if (this.everyHours === 0 || performance.now() < this.#nextCheckAt) return false
    this.#nextCheckAt = performance.now() + Math.min(CHECK_EVERY_MS, this.everyHours * HOUR_MS)
    const startedAt = DateTime.utc()
    const holder = randomUUID()
    if (!(await acquireLease(LEASE, holder, startedAt.plus(RETRY_AFTER)))) return false
    const summary = newRunSummary()
    try {
      await runRecorded(await beginRun('schedule'), { stopping }, summary)
    } catch (error) {
      if (stopping.aborted) return false
      throw error
    }
    await extendLease(LEASE, holder, startedAt.plus({ hours: this.everyHours }))
    const { read, changes, skipped } = summary
    logger.info(
      { read, changes: changes.size, skipped },
      'Reconciled users with the identity provider'
    )
    return false
  }
}
