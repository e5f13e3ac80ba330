import { accessTransaction } from '#core/database/access_transaction'
import { requireRoom } from '#core/database/require_room'
import { logSecurityEvent } from '#core/security_events'
import { MAX_ADMINISTRATORS } from '#app/permissions/actions/add_application_admin'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { TooManyAdministrators } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * @returns `created` is false if the person already was a super admin
 * @throws TooManyAdministrators
 */
export async function addSuperAdmin(email: string) {
  const added = await accessTransaction(async (trx, changed) => {
    changed({ email })
    await lockSuperAdmins(trx)
    const known = await SuperAdmin.findBy({ email }, { client: trx })
    if (known) return { admin: known, created: false }
    await requireRoom(SuperAdmin.query({ client: trx }), MAX_ADMINISTRATORS, TooManyAdministrators)
    return { admin: await SuperAdmin.create({ email }, { client: trx }), created: true }
  })
  if (added.created) {
    logSecurityEvent('super_admin_changed', 'A super admin was added', { change: 'added', email })
  }
  return added
}
