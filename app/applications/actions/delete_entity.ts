import { transaction } from '#core/database/transaction'
import { lockEntity } from '#app/applications/actions/find_entity'
import { requireUnusedEntity } from '#app/applications/actions/require_unused_entity'
import { requireNotBuiltIn } from '#app/applications/values/panel'

/** @throws ApplicationNotFound, EntityNotFound, EntityInUse, PanelProtected */
export async function deleteEntity(appCode: string, id: number) {
  await transaction(async (trx) => {
    const entity = await lockEntity(appCode, id, trx)
    requireNotBuiltIn('entity', appCode, entity.code)
    await requireUnusedEntity(entity)
    await entity.delete()
  })
}
