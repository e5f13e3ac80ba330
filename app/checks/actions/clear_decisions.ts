import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { outsideRequests } from '#core/http/outside_requests'
import { currentTime } from '#core/values/clock'
import { takeRevisions } from '#core/changes/revision_counter'
import { accessTransaction } from '#core/database/access_transaction'
import { accessCaches } from '#app/checks/invalidation/access_caches'

export function clearDecisions(): void {
  accessCaches.invalidate([{}])
}

/** More than a restored backup or a failover can have lost. Enough alone if a clock is wrong. */
const SKIPPED_REVISIONS = 1_000_000
/** Access changes wait for a clear, which anybody in the private network can request. */
const PAUSE_MS = 1_000

let ended: Promise<unknown> = Promise.resolve()
/** The clear that has not begun yet. */
let next: Promise<void> | null = null

/**
 * Clears the caches of all processes on the same PostgreSQL database, or of all workers on SQLite,
 * by announcing a change of everyone's access (checks.md#clearing-the-cache). Calls that come
 * together share one clear.
 */
export function clearDecisionsEverywhere(): Promise<void> {
  next ??= ended.then(() => {
    next = null
    const clear = outsideRequests(clearEverywhere)
    ended = clear.catch(() => {}).then(() => pause(PAUSE_MS, null, { ref: false }))
    return clear
  })
  return next
}

async function clearEverywhere() {
  await accessTransaction(async (trx, changed) => {
    await skipLostRevisions(trx)
    changed({})
  })
}

/**
 * So that no revision that somebody may know is used again. It advances to the time, and by a
 * random number: otherwise a backup that is restored twice could use the same revisions twice.
 */
export async function skipLostRevisions(trx: TransactionClientContract): Promise<void> {
  const skipped = SKIPPED_REVISIONS + randomInt(SKIPPED_REVISIONS)
  const revision = await takeRevisions(trx, skipped)
  await takeRevisions(trx, Math.max(0, currentTime() - revision))
}
