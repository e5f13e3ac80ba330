import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { lockEntity } from '#app/applications/actions/find_entity'
import { requireUnusedEntity } from '#app/applications/actions/require_unused_entity'
import type Entity from '#app/applications/models/entity'
import { requireNotBuiltIn } from '#app/applications/values/panel'

/** @throws ApplicationNotFound, EntityNotFound, Stale, EntityInUse, PanelProtected */
export async function deleteEntity(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Entity> = {}
) {
  return transaction(async (trx) => {
    const entity = await lockEntity(appCode, id, trx)
    await requireFresh(() => entity)
    requireNotBuiltIn('entity', appCode, entity.code)
    await requireUnusedEntity(entity)
    return deleteRow(entity, dryRun)
  })
}
