import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { WorkSource } from '#core/background/work_source'
import { actingAs } from '#core/audit/audit_actor'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'
import { runRecorded } from '#app/identity_provider/reconciliation/recorded_run'
import { newRunSummary } from '#app/identity_provider/reconciliation/reconciliation'

/** Reconciles users when an administrator has asked for it. */
export class RequestedReconciliationSource implements WorkSource {
  readonly name = 'requested reconciliations'

  async work(stopping: AbortSignal) {
    const run = await ReconciliationRecord.findBy({ status: 'queued' })
    if (!run || !(await claim(run))) return false
    const { dryRun, orgId } = run
    const options = { dryRun, orgId: orgId ?? undefined, stopping }
    const actor = { kind: 'system', name: 'reconciliation' } as const
    try {
      await actingAs(actor, () => runRecorded(run, options, newRunSummary()))
    } catch (error) {
      if (!stopping.aborted) throw error
    }
    return false
  }
}

/** One process gets it. */
async function claim({ id }: ReconciliationRecord): Promise<boolean> {
  const now = toDatabaseTimestamp(DateTime.utc())
  const claimed: unknown = await db
    .from(ReconciliationRecord.table)
    .where({ id, status: 'queued' })
    .update({ status: 'running', started_at: now, seen_at: now })
  return Number(claimed) === 1
}
