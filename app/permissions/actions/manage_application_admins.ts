import { changingAccess } from '#core/database/changing_access'
import { requireRoom } from '#core/database/require_room'
import { serialize } from '#core/database/serialize'
import Application from '#app/applications/models/application'
import { AdministratorNotFound, TooManyAdministrators } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'

/** How many administrators an application has at most, and super admins there are. */
export const MAX_ADMINISTRATORS = 500

/**
 * Makes a person administrator of an application; says whether they were not before.
 *
 * @throws ApplicationNotFound, TooManyAdministrators
 */
export async function addApplicationAdmin(email: string, appCode: string) {
  return changingAccess(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await serialize(trx, `application_admins:${application.id}`)
    const row = { email, applicationId: application.id }
    const known = await ApplicationAdmin.findBy(row, { client: trx })
    if (known) return { admin: known, created: false }
    const existing = ApplicationAdmin.query({ client: trx }).where('applicationId', application.id)
    await requireRoom(existing, MAX_ADMINISTRATORS, TooManyAdministrators)
    return { admin: await ApplicationAdmin.create(row, { client: trx }), created: true }
  })
}

/** @throws ApplicationNotFound, AdministratorNotFound */
export async function removeApplicationAdmin(email: string, appCode: string) {
  const application = await Application.withCode(appCode)
  await changingAccess(async (trx, changed) => {
    changed({ email, application: appCode })
    const removed = await ApplicationAdmin.query({ client: trx })
      .where({ email, applicationId: application.id })
      .delete()
    if (Number(removed) === 0) throw new AdministratorNotFound()
  })
}
