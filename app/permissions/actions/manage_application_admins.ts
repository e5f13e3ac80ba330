import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import { AdministratorNotFound } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'

/** Makes a person administrator of an application; says whether they were not before. @throws ApplicationNotFound */
export async function addApplicationAdmin(email: string, appCode: string) {
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUntilCommit(trx, `application_admins:${application.id}:${email}`)
    const row = { email, applicationId: application.id }
    const admin = await ApplicationAdmin.firstOrCreate(row, {}, { client: trx })
    return { admin, created: admin.$isLocal }
  })
}

/** @throws ApplicationNotFound, AdministratorNotFound */
export async function removeApplicationAdmin(email: string, appCode: string) {
  const application = await Application.withCode(appCode)
  await accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const removed = await ApplicationAdmin.query({ client: trx })
      .where({ email, applicationId: application.id })
      .delete()
    if (Number(removed) === 0) throw new AdministratorNotFound()
  })
}
