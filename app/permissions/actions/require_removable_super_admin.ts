import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { LastSuperAdmin, OwnSuperAdmin } from '#app/permissions/exceptions'
import { onlyActive } from '#core/database/active_rows'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * Must come before any other lock of the transaction. Anyone who is not an active super admin
 * passes.
 * @throws LastSuperAdmin if no other active super admin whose time does not end would remain
 * @throws OwnSuperAdmin if it is the caller
 */
export async function requireRemovableSuperAdmin(
  email: string,
  caller: string | undefined,
  trx: TransactionClientContract
) {
  await lockSuperAdmins(trx)
  const active = await activeSuperAdmins(trx)
  if (!active.some((admin) => admin.email === email)) return
  if (!active.some((admin) => admin.email !== email && admin.validUntil === null)) {
    throw new LastSuperAdmin()
  }
  if (email === caller) throw new OwnSuperAdmin()
}

/** Includes super admins without a user record (permissions.md#last-active-super-admin). */
function activeSuperAdmins(trx: TransactionClientContract) {
  const admins = SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return onlyActive(admins, 'super_admins')
}
