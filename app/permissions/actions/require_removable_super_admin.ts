import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { LastSuperAdmin, OwnSuperAdmin } from '#app/permissions/exceptions'
import { onlyActive } from '#core/database/active_rows'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * Must come before any other lock of the transaction, except `lockSuperAdmins`. Whoever is not an
 * active super admin passes.
 * @param emails the addresses of one user
 * @throws LastSuperAdmin if no other active super admin whose time does not end would remain
 * @throws OwnSuperAdmin if it is the caller
 */
export async function requireRemovableSuperAdmin(
  emails: string[],
  caller: string | undefined,
  trx: TransactionClientContract
) {
  await lockSuperAdmins(trx)
  const active = await activeSuperAdmins(trx)
  const others = active.filter(({ email }) => !emails.includes(email))
  if (others.length === active.length) return
  if (!others.some(({ validUntil }) => validUntil === null)) throw new LastSuperAdmin()
  if (caller !== undefined && emails.includes(caller)) throw new OwnSuperAdmin()
}

/** Includes super admins without a user record (permissions.md#last-active-super-admin). */
function activeSuperAdmins(trx: TransactionClientContract) {
  const admins = SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return onlyActive(admins, 'super_admins')
}
