import { recordChange } from '#core/audit/record_change'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { transaction } from '#core/database/transaction'
import { AlreadyAtWork } from '#core/exceptions/problems'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'
import { requireServiceAccount } from '#app/identity_provider/zitadel/call_provider'

export interface ReconciliationRequest {
  dryRun: boolean
  orgId: string | null
}

/**
 * Has a background process reconcile users.
 * @throws ServiceAccountNotConfigured, AlreadyAtWork if a run waits or is in progress
 */
export async function requestReconciliation({
  dryRun,
  orgId,
}: ReconciliationRequest): Promise<ReconciliationRecord> {
  requireServiceAccount()
  const requested = await mapUniqueViolation(AlreadyAtWork, () =>
    transaction(async (trx) => {
      const current = await ReconciliationRecord.query({ client: trx })
        .where('status', 'running')
        .orderBy('id', 'desc')
        .first()
      if (current && !current.isLost) throw new AlreadyAtWork()
      const run = await ReconciliationRecord.create(
        { trigger: 'panel', status: 'queued', dryRun, orgId, changes: {} },
        { client: trx }
      )
      await recordChange(trx, {
        action: 'reconciliation.requested',
        application: null,
        target: { kind: 'reconciliation', id: run.id, label: String(run.id) },
        before: null,
        after: { dryRun, orgId },
      })
      return run
    })
  )
  wakeBackgroundWork()
  return ReconciliationRecord.findOrFail(requested.id)
}
