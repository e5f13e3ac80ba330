import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { type EntityKey, keepEntity } from '#app/applications/actions/find_entity'
import Resource from '#app/applications/models/resource'

export interface DeletedResources {
  /** Number of resources that were in the catalog. */
  deleted: number
}

/** @throws ApplicationNotFound, EntityNotFound */
export async function deleteResources(
  appCode: string,
  entityKey: EntityKey,
  resourceIds: string[]
): Promise<DeletedResources> {
  return accessTransaction(async (trx, changed) => {
    const { id: entityId, code: resourceType } = await keepEntity(appCode, entityKey, trx)
    await lockUntilCommit(trx, `resources:${entityId}`)
    const inCatalog = Resource.query({ client: trx }).where({ entityId })
    const [deleted] = await inCatalog.whereIn('resourceId', resourceIds).delete()
    if (deleted > 0) changed({ application: appCode, resourceType })
    return { deleted: Number(deleted) }
  })
}
