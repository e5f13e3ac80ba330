import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { EntityNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { notInApplication } from '#app/applications/values/not_in_application'

/** An id or a code. */
export type EntityKey = number | string

/** @throws ApplicationNotFound, EntityNotFound, also for an entity of another application */
export function findEntity(appCode: string, key: EntityKey): Promise<Entity> {
  return find(appCode, key)
}

/**
 * Locks the entity until the transaction ends, so that nothing new can use it in the meantime.
 *
 * @throws ApplicationNotFound, EntityNotFound, also for an entity of another application
 */
export function lockEntity(appCode: string, key: EntityKey, trx: TransactionClientContract) {
  return find(appCode, key, { trx, lock: 'forUpdate' })
}

/**
 * Keeps the entity from being changed or deleted until the transaction ends.
 *
 * @throws ApplicationNotFound, EntityNotFound, also for an entity of another application
 */
export function keepEntity(appCode: string, key: EntityKey, trx: TransactionClientContract) {
  return find(appCode, key, { trx, lock: 'forShare' })
}

interface Locking {
  trx: TransactionClientContract
  lock: 'forUpdate' | 'forShare'
}

async function find(appCode: string, key: EntityKey, locking?: Locking): Promise<Entity> {
  const { id: applicationId } = await Application.withCode(appCode, locking?.trx)
  const column = typeof key === 'number' ? 'id' : 'code'
  const query = Entity.query({ client: locking?.trx }).where({ applicationId, [column]: key })
  if (locking) void query[locking.lock]()
  const entity = await query.first()
  if (!entity) throw new EntityNotFound(notInApplication(`Entity ${key}`, appCode))
  return entity
}
