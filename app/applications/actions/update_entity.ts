import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import type { EntityFields } from '#app/applications/actions/create_entity'
import { lockEntity } from '#app/applications/actions/find_entity'
import { requireUnusedEntity } from '#app/applications/actions/require_unused_entity'
import { EntityExists } from '#app/applications/exceptions'
import type Entity from '#app/applications/models/entity'
import { auditedEntity } from '#app/applications/transformers/audited_rows'
import { requireAllowedOrigin } from '#app/applications/values/require_allowed_origin'
import { requireNotBuiltIn } from '#app/applications/values/panel'

/**
 * @throws ApplicationNotFound, EntityNotFound, Stale, EntityExists, EntityInUse,
 *   EntityOriginNotAllowed, PanelProtected
 */
export async function updateEntity(
  appCode: string,
  id: number,
  fields: Partial<EntityFields>,
  requireFresh: RequireFresh<Entity> = unconditional
) {
  if (fields.listEndpoint) requireAllowedOrigin(fields.listEndpoint)
  return mapUniqueViolation(EntityExists, () =>
    accessTransaction(async (trx, changed) => {
      const entity = await lockEntity(appCode, id, trx)
      await requireFresh(() => entity)
      if (fields.code !== undefined && fields.code !== entity.code) {
        requireNotBuiltIn('entity', appCode, entity.code)
        await requireUnusedEntity(entity)
        // Checks find the properties of its resources by this code.
        changed({ application: appCode })
      }
      const before = auditedEntity(entity, appCode)
      await entity.merge(fields).save()
      await recordChange(trx, updateOf(before, auditedEntity(entity, appCode)))
      return entity
    })
  )
}
