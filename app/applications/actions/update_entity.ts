import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import type { EntityFields } from '#app/applications/actions/create_entity'
import { lockEntity } from '#app/applications/actions/find_entity'
import { requireUnusedEntity } from '#app/applications/actions/require_unused_entity'
import { EntityExists } from '#app/applications/exceptions'
import { requireAllowedOrigin } from '#app/applications/values/require_allowed_origin'
import { requireNotBuiltIn } from '#app/applications/values/panel'

/**
 * @throws ApplicationNotFound, EntityNotFound, EntityExists, EntityInUse, EntityOriginNotAllowed,
 *   PanelProtected
 */
export async function updateEntity(appCode: string, id: number, fields: Partial<EntityFields>) {
  if (fields.listEndpoint) requireAllowedOrigin(fields.listEndpoint)
  return mapUniqueViolation(EntityExists, () =>
    transaction(async (trx) => {
      const entity = await lockEntity(appCode, id, trx)
      if (fields.code !== undefined && fields.code !== entity.code) {
        requireNotBuiltIn('entity', appCode, entity.code)
        await requireUnusedEntity(entity)
      }
      return entity.merge(fields).save()
    })
  )
}
