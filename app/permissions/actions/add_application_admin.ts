import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { requireRoom } from '#core/database/require_room'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import { TooManyAdministrators } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { type TimeWindow, requireValidWindow, toWindow } from '#app/permissions/values/time_window'

/** Applies to each application, and to the super admins. */
export const MAX_ADMINISTRATORS = 500

/**
 * @param window replaces that of an existing administrator
 * @returns `created` is false if the user already was an administrator
 * @throws ApplicationNotFound, InvalidWindow, TooManyAdministrators
 */
export async function addApplicationAdmin(
  email: string,
  appCode: string,
  window: Partial<TimeWindow> = {}
) {
  requireValidWindow(toWindow(window))
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUntilCommit(trx, `application_admins:${application.id}`)
    const row = { email, applicationId: application.id }
    const known = await ApplicationAdmin.findBy(row, { client: trx })
    const change = { application, target: userTarget(email), email }
    if (known) {
      const before = windowFields(known)
      const admin = await known.merge(toWindow(window)).save()
      const after = windowFields(admin)
      await recordChange(trx, { ...change, action: 'application_admin.changed', before, after })
      return { admin, created: false }
    }
    const existing = ApplicationAdmin.query({ client: trx }).where('applicationId', application.id)
    await requireRoom(existing, MAX_ADMINISTRATORS, TooManyAdministrators)
    const admin = await ApplicationAdmin.create({ ...row, ...toWindow(window) }, { client: trx })
    const after = windowFields(admin)
    await recordChange(trx, { ...change, action: 'application_admin.added', before: null, after })
    return { admin, created: true }
  })
}
