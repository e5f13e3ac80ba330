import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { logSecurityEvent } from '#core/security_events'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { AdministratorNotFound, LastSuperAdmin } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'

/** @throws AdministratorNotFound, LastSuperAdmin if no other active super admin would remain */
export async function removeSuperAdmin(email: string) {
  await accessTransaction(async (trx, changed) => {
    changed({ email })
    await lockSuperAdmins(trx)
    const admin = await SuperAdmin.query({ client: trx }).where('email', email).first()
    if (!admin) throw new AdministratorNotFound()
    const active = await activeSuperAdmins(trx)
    if (active.length === 1 && active[0] === email) throw new LastSuperAdmin()
    await admin.delete()
  })
  logSecurityEvent('super_admin_changed', 'A super admin was removed', { change: 'removed', email })
}

/** Includes super admins without a user record (permissions.md#last-active-super-admin). */
async function activeSuperAdmins(trx: TransactionClientContract): Promise<string[]> {
  const admins = await SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return admins.map(({ email }) => email)
}
