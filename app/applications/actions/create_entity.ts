import { requireRoom } from '#core/database/require_room'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { EntityExists, TooManyEntities } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { auditedEntity } from '#app/applications/transformers/audited_rows'
import { requireAllowedOrigin } from '#app/applications/values/require_allowed_origin'

export const MAX_ENTITIES = 200

export interface EntityFields {
  code: string
  name: string
  description?: string | null
  idLabel?: string | null
  listEndpoint?: string | null
}

/** @throws ApplicationNotFound, EntityExists, TooManyEntities, EntityOriginNotAllowed */
export async function createEntity(appCode: string, fields: EntityFields): Promise<Entity> {
  if (fields.listEndpoint) requireAllowedOrigin(fields.listEndpoint)
  return mapUniqueViolation(EntityExists, () =>
    transaction(async (trx) => {
      const application = await Application.lockWithCode(appCode, trx)
      const applicationId = application.id
      const existing = Entity.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_ENTITIES, TooManyEntities)
      const entity = await Entity.create({ ...fields, applicationId }, { client: trx })
      await entity.refresh()
      await recordChange(trx, creationOf(auditedEntity(entity, appCode)))
      return entity
    })
  )
}
