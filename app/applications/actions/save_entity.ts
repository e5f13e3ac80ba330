import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import {
  EntityExists,
  EntityInUse,
  EntityNotFound,
  TooManyEntities,
} from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { countAssignments } from '#app/applications/queries/entity_usage'
import { requireAllowedOrigin } from '#app/applications/values/entity_origins'
import { requireNoPanelPart } from '#app/applications/values/panel'

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
  return unlessTaken(EntityExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.lockWithCode(appCode, trx)
      const existing = Entity.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_ENTITIES, TooManyEntities)
      const entity = await Entity.create({ ...fields, applicationId }, { client: trx })
      return entity.refresh()
    })
  )
}

/**
 * Changes the fields that are given. The code of an entity in use stays, and so does that of the panel's own.
 *
 * @throws ApplicationNotFound, EntityNotFound, EntityExists, EntityInUse, EntityOriginNotAllowed, PanelProtected
 */
export async function updateEntity(appCode: string, id: number, fields: Partial<EntityFields>) {
  if (fields.listEndpoint) requireAllowedOrigin(fields.listEndpoint)
  return unlessTaken(EntityExists, () =>
    transaction(async (trx) => {
      const entity = await findEntity(appCode, id, trx)
      if (fields.code !== undefined && fields.code !== entity.code) {
        requireNoPanelPart('entity', appCode, entity.code)
        await requireUnused(entity)
      }
      return entity.merge(fields).save()
    })
  )
}

/** @throws ApplicationNotFound, EntityNotFound, EntityInUse, PanelProtected */
export async function deleteEntity(appCode: string, id: number) {
  await transaction(async (trx) => {
    const entity = await findEntity(appCode, id, trx)
    requireNoPanelPart('entity', appCode, entity.code)
    await requireUnused(entity)
    await entity.delete()
  })
}

/** @throws ApplicationNotFound, EntityNotFound, also for an entity of another application */
export async function findEntity(appCode: string, id: number, client?: Entity['$trx']) {
  const application = await Application.withCode(appCode, client)
  const query = Entity.query({ client }).where('applicationId', application.id).where('id', id)
  // Held until the end of the transaction, so that no assignment can begin to use the entity meanwhile.
  const entity = await (client ? query.forUpdate() : query).first()
  if (!entity) throw new EntityNotFound()
  return entity
}

async function requireUnused(entity: Entity) {
  const assignments = await countAssignments(entity, entity.$trx!)
  if (assignments > 0) throw new EntityInUse({ details: { assignments } })
}
