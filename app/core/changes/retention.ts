import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { ExpiredRows } from '#core/retention/expired_rows'
import retention from '#config/retention'

/** A process or client that is further behind must drop everything that it derived. */
async function recordRemoval(revisions: number[], trx: TransactionClientContract) {
  const last = Math.max(0, ...revisions.map(Number))
  await trx
    .from('change_revisions')
    .where('removed_through', '<', last)
    .update({ removed_through: last })
}

const expiry = { column: 'at', maxAge: { hours: retention.changesHours }, record: recordRemoval }

export const changeSweeps = [
  new ExpiredRows({ table: 'access_changes', ...expiry }),
  new ExpiredRows({ table: 'audit_revisions', ...expiry }),
]
