import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import {
  type DeleteOptions,
  type DeletedRows,
  MAX_NAMES,
  deleteRow,
} from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import identityProvider from '#config/identity_provider'
import { accessTransaction } from '#core/database/access_transaction'
import ApplicationDeleted from '#app/applications/events/application_deleted'
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
  { dryRun, requireFresh = unconditional }: DeleteOptions<Application> = {}
) {
  const protectedCodes = [PANEL_APPLICATION, identityProvider.notificationApplication]
  if (protectedCodes.includes(code)) throw new ApplicationProtected()
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: code })
      changed({ application: PANEL_APPLICATION })
      const application = await Application.lockWithCode(code, trx)
      await requireFresh(() => application)
      const ended: DeletedRows[] = []
      await ApplicationDeleted.dispatch(application, trx, ended)
      const preview = await deleteRow(application, dryRun)
      if (preview) {
        return { deletes: [...preview.deletes, ...(await panelLevels(code, trx)), ...ended] }
      }
      instanceOrigins.clearAfterCommit(application)
      await panelOverrides(code, trx).delete()
      return null
    },
    { dryRun }
  )
}

/** The panel levels of people on the application. */
function panelOverrides(code: string, trx: TransactionClientContract) {
  return trx
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
}

async function panelLevels(code: string, trx: TransactionClientContract): Promise<DeletedRows[]> {
  const people: { email: string }[] = await panelOverrides(code, trx)
    .distinct('email')
    .orderBy('email')
  if (people.length === 0) return []
  const names = people.slice(0, MAX_NAMES).map(({ email }) => email)
  return [{ kind: 'panel_level', count: people.length, names }]
}
