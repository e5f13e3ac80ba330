import { type RequireFresh, unconditional } from '#core/http/etag'
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
 * @throws ApplicationNotFound, Stale, ApplicationProtected
 */
export async function deleteApplication(
  code: string,
  requireFresh: RequireFresh<Application> = unconditional
) {
  const protectedCodes = [PANEL_APPLICATION, identityProvider.notificationApplication]
  if (protectedCodes.includes(code)) throw new ApplicationProtected()
  await accessTransaction(async (trx, changed) => {
    changed({ application: code })
    changed({ application: PANEL_APPLICATION })
    const application = await Application.lockWithCode(code, trx)
    await requireFresh(() => application)
    await application.delete()
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
