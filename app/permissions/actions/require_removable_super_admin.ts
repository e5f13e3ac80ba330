import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { LastSuperAdmin, OwnSuperAdmin } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * Must come before any other lock of the transaction. Anybody who is not an active super admin
 * passes.
 * @throws LastSuperAdmin if no other active super admin would remain
 * @throws OwnSuperAdmin if it is the caller
 */
export async function requireRemovableSuperAdmin(
  email: string,
  caller: string | undefined,
  trx: TransactionClientContract
) {
  await lockSuperAdmins(trx)
  const active = await activeSuperAdmins(trx)
  if (!active.includes(email)) return
  if (active.length === 1) throw new LastSuperAdmin()
  if (email === caller) throw new OwnSuperAdmin()
}

/** Includes super admins without a user record (permissions.md#last-active-super-admin). */
async function activeSuperAdmins(trx: TransactionClientContract): Promise<string[]> {
  const admins = await SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return admins.map(({ email }) => email)
}
