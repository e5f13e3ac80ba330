import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { type EntityKey, keepEntity } from '#app/applications/actions/find_entity'
import Resource from '#app/applications/models/resource'
import { resourcesState } from '#app/applications/transformers/resources_state'
import { entityTarget } from '#app/applications/values/audit_targets'

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
    const entity = await keepEntity(appCode, entityKey, trx)
    const entityId = entity.id
    await lockUntilCommit(trx, `resources:${entityId}`)
    const named = () =>
      Resource.query({ client: trx }).where({ entityId }).whereIn('resourceId', resourceIds)
    const former = await named().orderBy('id')
    const [deleted] = await named().delete()
    if (deleted > 0) changed({ application: appCode, resourceType: entity.code })
    await recordChange(trx, {
      action: 'resources.deleted',
      application: { id: entity.applicationId, code: appCode },
      target: entityTarget(entity),
      before: resourcesState(former),
      after: {},
    })
    return { deleted: Number(deleted) }
  })
}
