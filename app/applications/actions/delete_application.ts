import identityProvider from '#config/identity_provider'
import { accessTransaction } from '#core/database/access_transaction'
import { ApplicationProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import { instanceOrigins } from '#app/applications/values/instance_origins'
import { APPLICATION_ENTITY, PANEL_APPLICATION } from '#app/applications/values/panel'

/**
 * Deletes an application and everything in it, together with the panel overrides for its code, so
 * that a later application of the same code starts without them
 * (applications.md#deleting-an-application).
 *
 * @throws ApplicationNotFound, ApplicationProtected
 */
export async function deleteApplication(code: string) {
  const protectedCodes = [PANEL_APPLICATION, identityProvider.notificationApplication]
  if (protectedCodes.includes(code)) throw new ApplicationProtected()
  const application = await Application.withCode(code)
  await accessTransaction(async (trx, changed) => {
    changed({ application: code })
    changed({ application: PANEL_APPLICATION })
    await application.useTransaction(trx).delete()
    instanceOrigins.clearAfterCommit(application)
    await trx
      .from('resource_overrides')
      .where('resource_type', APPLICATION_ENTITY)
      .where('resource_id', code)
      .whereIn('permission_id', (permissions) =>
        permissions
          .from('permissions')
          .join('applications', 'applications.id', 'permissions.application_id')
          .where('applications.code', PANEL_APPLICATION)
          .select('permissions.id')
      )
      .delete()
  })
}
