import { DateTime } from 'luxon'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { recordUserChange, userState } from '#app/profiles/actions/record_user_change'
import { lockRecord } from '#app/profiles/actions/lock_record'
import User from '#app/profiles/models/user'
import { LAG } from '#app/identity_provider/reconciliation/listed_user_facts'
import {
  type ReconciliationRun,
  addChanges,
} from '#app/identity_provider/reconciliation/reconciliation'

const BATCH_SIZE = 100

/**
 * Opens the records that a removed account closed without ever having proved the address
 * (identity-provider.md#end-of-a-reservation).
 */
export async function openAbandonedRecords(run: ReconciliationRun): Promise<void> {
  for (let after = 0; ;) {
    const records = await abandonedRecords(after)
    if (records.length === 0) return
    for (const { email } of records) {
      await run.renewLease()
      if (await open(email, run)) addChanges(run.summary, [{ email, change: 'reactivated' }])
    }
    after = records.at(-1)!.id
  }
}

function abandonedRecords(after: number) {
  return User.query()
    .where({ active: false, identityVerified: false, awaitsReactivation: false })
    .whereNull('idpUserId')
    .where('updatedAt', '<', toDatabaseTimestamp(DateTime.utc().minus(LAG)))
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
}

function open(email: string, { dryRun }: ReconciliationRun): Promise<boolean> {
  return accessTransaction(
    async (trx, changed) => {
      const record = await lockRecord(email, [], trx)
      if (!record || record.idpUserId !== null || record.active) return false
      const before = userState(record)
      record.discardUnverifiedIdentity()
      await record.save()
      await recordUserChange(trx, before, record)
      changed({ email })
      return record.active
    },
    { dryRun }
  )
}
