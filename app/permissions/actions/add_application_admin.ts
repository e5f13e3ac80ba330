import { accessTransaction } from '#core/database/access_transaction'
import { requireRoom } from '#core/database/require_room'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import { TooManyAdministrators } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'

/** Applies to each application, and to the super admins. */
export const MAX_ADMINISTRATORS = 500

/**
 * @returns `created` is false if the person already was an administrator
 * @throws ApplicationNotFound, TooManyAdministrators
 */
export async function addApplicationAdmin(email: string, appCode: string) {
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUntilCommit(trx, `application_admins:${application.id}`)
    const row = { email, applicationId: application.id }
    const known = await ApplicationAdmin.findBy(row, { client: trx })
    if (known) return { admin: known, created: false }
    const existing = ApplicationAdmin.query({ client: trx }).where('applicationId', application.id)
    await requireRoom(existing, MAX_ADMINISTRATORS, TooManyAdministrators)
    return { admin: await ApplicationAdmin.create(row, { client: trx }), created: true }
  })
}
