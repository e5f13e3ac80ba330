import { accessTransaction } from '#core/database/access_transaction'
import { deleteRow } from '#core/database/delete_row'
import Application from '#app/applications/models/application'
import { AdministratorNotFound } from '#app/permissions/exceptions'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { notInApplication } from '#app/applications/values/not_in_application'

/** @throws ApplicationNotFound, AdministratorNotFound */
export async function removeApplicationAdmin(email: string, appCode: string, dryRun = false) {
  return accessTransaction(
    async (trx, changed) => {
      changed({ email, application: appCode })
      const application = await Application.withCode(appCode, trx)
      const admin = await ApplicationAdmin.query({ client: trx })
        .where({ email, applicationId: application.id })
        .forUpdate()
        .first()
      if (!admin) {
        throw new AdministratorNotFound(notInApplication(`Administrator ${email}`, appCode))
      }
      const deletion = { target: userTarget(email), email, before: windowFields(admin) }
      return deleteRow(
        admin,
        { action: 'application_admin.removed', application, ...deletion },
        dryRun
      )
    },
    { dryRun }
  )
}
