import { accessTransaction } from '#core/database/access_transaction'
import Application from '#app/applications/models/application'
import { AdministratorNotFound } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { notInApplication } from '#app/applications/values/not_in_application'

/** @throws ApplicationNotFound, AdministratorNotFound */
export async function removeApplicationAdmin(email: string, appCode: string) {
  const application = await Application.withCode(appCode)
  await accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const removed = await ApplicationAdmin.query({ client: trx })
      .where({ email, applicationId: application.id })
      .delete()
    if (Number(removed) === 0)
      throw new AdministratorNotFound(notInApplication(`Administrator ${email}`, appCode))
  })
}
