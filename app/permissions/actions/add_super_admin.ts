import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { requireRoom } from '#core/database/require_room'
import { logSecurityEvent } from '#core/security_events'
import { MAX_ADMINISTRATORS } from '#app/permissions/actions/add_application_admin'
import { requireRemovableSuperAdmin } from '#app/permissions/actions/require_removable_super_admin'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { TooManyAdministrators } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { type TimeWindow, requireValidWindow, toWindow } from '#app/permissions/values/time_window'

/**
 * @param window replaces that of an existing super admin
 * @param caller absent if nobody is signed in
 * @returns `created` is false if the user already was a super admin
 * @throws InvalidWindow, LastSuperAdmin, OwnSuperAdmin, TooManyAdministrators
 */
export async function addSuperAdmin(
  email: string,
  window: Partial<TimeWindow> = {},
  caller?: string
) {
  requireValidWindow(toWindow(window))
  const added = await accessTransaction(async (trx, changed) => {
    changed({ email })
    await lockSuperAdmins(trx)
    const change = { application: null, target: userTarget(email), email }
    const known = await SuperAdmin.findBy({ email }, { client: trx })
    if (known) {
      const { validFrom, validUntil } = toWindow(window)
      if (validFrom || validUntil) await requireRemovableSuperAdmin([email], caller, trx)
      const before = windowFields(known)
      const isChanged = known.merge({ validFrom, validUntil }).$isDirty
      const admin = await known.save()
      const after = windowFields(admin)
      await recordChange(trx, { ...change, action: 'super_admin.changed', before, after })
      return { admin, created: false, isChanged }
    }
    await requireRoom(SuperAdmin.query({ client: trx }), MAX_ADMINISTRATORS, TooManyAdministrators)
    const admin = await SuperAdmin.create({ email, ...toWindow(window) }, { client: trx })
    const after = windowFields(admin)
    await recordChange(trx, { ...change, action: 'super_admin.added', before: null, after })
    return { admin, created: true, isChanged: true }
  })
  if (added.created) {
    logSecurityEvent('super_admin_changed', 'A super admin was added', { change: 'added', email })
  } else if (added.isChanged) {
    logSecurityEvent('super_admin_changed', 'The time window of a super admin was changed', {
      change: 'window_changed',
      email,
    })
  }
  return added
}
