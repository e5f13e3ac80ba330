import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { EntityNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { notInApplication } from '#app/applications/values/not_in_application'

/** @throws ApplicationNotFound, EntityNotFound, also for an entity of another application */
export async function findEntity(appCode: string, id: number): Promise<Entity> {
  const { id: applicationId } = await Application.withCode(appCode)
  const entity = await Entity.query().where({ applicationId, id }).first()
  if (!entity) throw new EntityNotFound(notInApplication(`Entity ${id}`, appCode))
  return entity
}

/**
 * Locks the entity until the transaction ends, so that no new assignment can use it in the
 * meantime.
 *
 * @throws ApplicationNotFound, EntityNotFound, also for an entity of another application
 */
export async function lockEntity(
  appCode: string,
  id: number,
  trx: TransactionClientContract
): Promise<Entity> {
  const { id: applicationId } = await Application.withCode(appCode, trx)
  const query = Entity.query({ client: trx }).where({ applicationId, id })
  const entity = await query.forUpdate().first()
  if (!entity) throw new EntityNotFound(notInApplication(`Entity ${id}`, appCode))
  return entity
}
