import { accessTransaction } from '#core/database/access_transaction'
import { deleteRow } from '#core/database/delete_row'
import { logSecurityEvent } from '#core/security_events'
import { requireRemovableSuperAdmin } from '#app/permissions/actions/require_removable_super_admin'
import { AdministratorNotFound } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'

/**
 * @param caller absent if nobody is signed in
 * @throws AdministratorNotFound, LastSuperAdmin, OwnSuperAdmin
 */
export async function removeSuperAdmin(email: string, caller?: string, dryRun = false) {
  const preview = await accessTransaction(
    async (trx, changed) => {
      changed({ email })
      await requireRemovableSuperAdmin(email, caller, trx)
      const admin = await SuperAdmin.query({ client: trx }).where('email', email).first()
      if (!admin) throw new AdministratorNotFound()
      return deleteRow(admin, dryRun)
    },
    { dryRun }
  )
  if (preview) return preview
  logSecurityEvent('super_admin_changed', 'A super admin was removed', { change: 'removed', email })
  return null
}
