import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { deletionOf } from '#core/audit/audited_row'
import {
  type DeleteOptions,
  type DeletedRows,
  MAX_NAMES,
  deletePreviewed,
  previewDeletion,
} from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import identityProvider from '#config/identity_provider'
import { accessTransaction } from '#core/database/access_transaction'
import { emptyCatalogs } from '#app/applications/actions/empty_catalogs'
import ApplicationDeleted from '#app/applications/events/application_deleted'
import { ApplicationProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import { auditedApplication } from '#app/applications/transformers/audited_rows'
import { panelOverrides } from '#app/applications/queries/panel_overrides'
import { instanceOrigins } from '#app/applications/values/instance_origins'
import { PANEL_APPLICATION } from '#app/applications/values/panel'

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
      const { deletes: own } = await previewDeletion(application)
      const deletes = [...own, ...(await panelLevels(code, trx)), ...ended]
      if (dryRun) return { deletes }
      await emptyCatalogs({ applicationId: application.id }, trx)
      await deletePreviewed(application, deletionOf(auditedApplication(application)), { deletes })
      instanceOrigins.clearAfterCommit(application)
      await panelOverrides(code, trx).delete()
      return null
    },
    { dryRun }
  )
}

async function panelLevels(code: string, trx: TransactionClientContract): Promise<DeletedRows[]> {
  const holders: { email: string }[] = await panelOverrides(code, trx)
    .distinct('email')
    .orderBy('email')
  if (holders.length === 0) return []
  const names = holders.slice(0, MAX_NAMES).map(({ email }) => email)
  return [{ kind: 'panel_level', count: holders.length, names }]
}
