import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deletePreviewed, previewDeletion } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { accessTransaction } from '#core/database/access_transaction'
import { emptyCatalogs } from '#app/applications/actions/empty_catalogs'
import { lockEntity } from '#app/applications/actions/find_entity'
import { requireUnusedEntity } from '#app/applications/actions/require_unused_entity'
import type Entity from '#app/applications/models/entity'
import { auditedEntity } from '#app/applications/transformers/audited_rows'
import { requireNotBuiltIn } from '#app/applications/values/panel'

/**
 * Deletes an entity with its catalogued resources.
 *
 * @throws ApplicationNotFound, EntityNotFound, Stale, EntityInUse, PanelProtected
 */
export async function deleteEntity(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Entity> = {}
) {
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const entity = await lockEntity(appCode, id, trx)
      await requireFresh(() => entity)
      requireNotBuiltIn('entity', appCode, entity.code)
      await requireUnusedEntity(entity)
      const preview = await previewDeletion(entity)
      if (dryRun) return preview
      await emptyCatalogs({ id }, trx)
      await deletePreviewed(entity, deletionOf(auditedEntity(entity, appCode)), preview)
      return null
    },
    { dryRun }
  )
}
