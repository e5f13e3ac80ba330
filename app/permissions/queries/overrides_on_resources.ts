import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import { toPlainRow } from '#core/database/plain_rows'
import { selectRows } from '#core/database/select_rows'
import ResourceOverride from '#app/permissions/models/resource_override'

/** A user and a resource, of whatever application. */
export type OverriddenResource = Pick<ResourceOverride, 'email' | 'resourceType' | 'resourceId'>

/** Reads the overrides of each user on their resource, with `permission`. */
export async function overridesOnResources(
  targets: OverriddenResource[],
  trx: TransactionClientContract
) {
  const columns = { email: 'text', resource_type: 'text', resource_id: 'text' } as const
  const { source } = jsonRows(columns, '?')
  const given = targets.map(({ email, resourceType, resourceId }) => {
    return { email, resource_type: resourceType, resource_id: resourceId }
  })
  // SQLite keeps the order of a cross join.
  const rows = await selectRows<{ code: string; application_id: number }>(
    trx,
    `select o.*, permissions.code, permissions.application_id
     from ${source} cross join resource_overrides o cross join permissions
     where o.email = given.email and o.resource_type = given.resource_type
       and o.resource_id = given.resource_id and permissions.id = o.permission_id
     order by o.id`,
    [JSON.stringify(given)]
  )
  return rows.map((row) => {
    const { code, application_id: applicationId } = row
    return { ...toPlainRow(ResourceOverride, row), permission: { code, applicationId } }
  })
}
