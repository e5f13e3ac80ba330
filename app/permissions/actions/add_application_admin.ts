import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'

/**
 * @returns `created` is false if the person already was an administrator
 * @throws ApplicationNotFound
 */
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
