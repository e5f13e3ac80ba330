import { accessTransaction } from '#core/database/access_transaction'
import { deleteRow } from '#core/database/delete_row'
import { logSecurityEvent } from '#core/security_events'
import { requireRemovableSuperAdmin } from '#app/permissions/actions/require_removable_super_admin'
import { AdministratorNotFound } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'

/**
 * @param caller absent if nobody is signed in
 * @throws AdministratorNotFound, LastSuperAdmin, OwnSuperAdmin
 */
export async function removeSuperAdmin(email: string, caller?: string, dryRun = false) {
  const preview = await accessTransaction(
    async (trx, changed) => {
      changed({ email })
      await requireRemovableSuperAdmin([email], caller, trx)
      const admin = await SuperAdmin.query({ client: trx }).where('email', email).first()
      if (!admin) throw new AdministratorNotFound()
      const deletion = { target: userTarget(email), email, before: windowFields(admin) }
      return deleteRow(
        admin,
        { action: 'super_admin.removed', application: null, ...deletion },
        dryRun
      )
    },
    { dryRun }
  )
  if (preview) return preview
  logSecurityEvent('super_admin_changed', 'A super admin was removed', { change: 'removed', email })
  return null
}
