import { randomUUID } from 'node:crypto'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { DateTime, type DurationLike } from 'luxon'
import { toDatabase } from '#core/database/columns'
import type { WorkSource } from '#app/delivery/outbox/work_source'
import { reconcileUsers } from '#app/identity_provider/reconciliation/reconcile_users'
import { takeLease } from '#app/identity_provider/with_lease'
import { newRunSummary } from '#app/identity_provider/reconciliation/reconciliation'
import identityProvider from '#config/identity_provider'

/** Whoever holds this lease makes the scheduled run. */
const TURN = 'scheduled reconciliation'
/** When to repeat a run that failed or whose process died. */
const RETRY = { minutes: 15 }
const ASK_EVERY_MS = 60_000
const HOUR_MS = 3_600_000

/** Reconciles users every `IDP_RECONCILE_HOURS`, first at startup, in one of all processes. */
export class ReconciliationSource implements WorkSource {
  readonly name = 'reconciliation with the identity provider'
  #askAgainAt = 0

  constructor(private readonly everyHours = identityProvider.reconcileHours) {}

  async work(stopping: AbortSignal) {
    if (this.everyHours === 0 || performance.now() < this.#askAgainAt) return false
    this.#askAgainAt = performance.now() + Math.min(ASK_EVERY_MS, this.everyHours * HOUR_MS)
    const startedAt = DateTime.utc()
    if (!(await takeLease(TURN, randomUUID(), startedAt.plus(RETRY)))) return false
    const summary = newRunSummary()
    try {
      await reconcileUsers({ stopping }, summary)
    } catch (error) {
      if (stopping.aborted) return false
      throw error
    }
    await holdTurn(startedAt, { hours: this.everyHours })
    const { read, changes, skipped } = summary
    logger.info({ read, changes: changes.size, skipped }, 'Users are reconciled')
    return false
  }
}

async function holdTurn(startedAt: DateTime, duration: DurationLike) {
  const until = toDatabase(startedAt.plus(duration))
  await db.from('provider_leases').where('name', TURN).update({ held_until: until })
}
