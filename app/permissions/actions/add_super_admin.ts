import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { logSecurityEvent } from '#core/security_events'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import SuperAdmin from '#app/permissions/models/super_admin'

/** @returns `created` is false if the person already was a super admin */
export async function addSuperAdmin(email: string) {
  const added = await accessTransaction(async (trx, changed) => {
    changed({ email })
    return insertSuperAdmin(email, trx)
  })
  if (added.created) {
    logSecurityEvent('super_admin_changed', 'A super admin was added', { change: 'added', email })
  }
  return added
}

export async function insertSuperAdmin(email: string, trx: TransactionClientContract) {
  await lockSuperAdmins(trx)
  const admin = await SuperAdmin.firstOrCreate({ email }, {}, { client: trx })
  return { admin, created: admin.$isLocal }
}
