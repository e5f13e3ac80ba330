import canonicalize from 'canonicalize'
import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { changeCount } from '#core/database/change_count'
import { toDatabaseTimestamp } from '#core/database/columns'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { type EntityKey, keepEntity } from '#app/applications/actions/find_entity'
import { TooManyResources } from '#app/applications/exceptions'
import type Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'
import { resourcesState } from '#app/applications/transformers/resources_state'
import { entityTarget } from '#app/applications/values/audit_targets'
import { resourceStatements } from '#app/applications/queries/resource_statements'

/** Of one entity. */
export const MAX_RESOURCES = 1_000_000

export interface ResourceFields {
  resourceId: string
  label?: string | null
  properties?: Record<string, unknown>
}

export interface SavedResources {
  /** Number of resources that were not in the catalog. */
  created: number
  /** Number of resources whose label or properties changed. */
  updated: number
  /** Number of resources that are in the catalog as they were sent. */
  unchanged: number
}

/**
 * Adds resources to the catalog, or changes the given fields of those that are in it.
 *
 * @throws ApplicationNotFound, EntityNotFound, TooManyResources
 */
export async function saveResources(
  appCode: string,
  entityKey: EntityKey,
  resources: ResourceFields[]
): Promise<SavedResources> {
  return accessTransaction(async (trx, changed) => {
    const entity = await keepEntity(appCode, entityKey, trx)
    await lockUntilCommit(trx, `resources:${entity.id}`)
    const given = JSON.stringify(resources.map(toRow))
    const bindings = { entityId: entity.id, now: toDatabaseTimestamp(DateTime.utc()), given }
    const named = () =>
      Resource.query({ client: trx })
        .where('entityId', entity.id)
        .whereIn(
          'resourceId',
          resources.map(({ resourceId }) => resourceId)
        )
    const former = await named()
    const { update, insert } = resourceStatements()
    const updated = changeCount(await trx.rawQuery(update, bindings))
    const created = changeCount(await trx.rawQuery(insert, bindings))
    if (created > 0) await requireRoomForResources(entity, trx)
    // Decisions do not depend on labels.
    const haveProperties = resources.some(({ properties }) => properties !== undefined)
    if (created + updated > 0 && haveProperties) {
      changed({ application: appCode, resourceType: entity.code })
    }
    await recordChange(trx, {
      action: 'resources.saved',
      application: { id: entity.applicationId, code: appCode },
      target: entityTarget(entity),
      before: resourcesState(former),
      after: resourcesState(await named()),
    })
    return { created, updated, unchanged: resources.length - created - updated }
  })
}

function toRow({ resourceId, label, properties }: ResourceFields, place: number) {
  return {
    place,
    resource_id: resourceId,
    has_label: label !== undefined,
    label: label ?? null,
    // In the order of their names: conditions can see it, and the audit trail ignores it.
    properties: properties === undefined ? null : canonicalize(properties),
  }
}

/** @throws TooManyResources if the added ones exceed the limit */
async function requireRoomForResources(entity: Entity, trx: TransactionClientContract) {
  const [{ $extras }] = await Resource.query({ client: trx })
    .where('entityId', entity.id)
    .count('* as total')
  if (Number($extras.total) > MAX_RESOURCES) {
    throw new TooManyResources({ details: { limit: MAX_RESOURCES } })
  }
}
