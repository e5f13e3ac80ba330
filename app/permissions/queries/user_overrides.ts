import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'

/** An override that is only shown. */
export type ShownOverride = Omit<PlainRow<ResourceOverride>, 'permission'> & {
  permission: { code: string }
}

/** All overrides of a user in an application, of which there can be thousands. */
export async function listUserOverrides(
  email: string,
  application: Application,
  client?: TransactionClientContract
): Promise<ShownOverride[]> {
  const overrides = await plainRows(userOverrides(email, application, client).orderBy('id'))
  const permissions = await plainRows(
    Permission.query({ client }).where('applicationId', application.id).select('id', 'code')
  )
  return withPermissions(overrides, permissions)
}

/** Those on one resource. */
export async function listOverridesOn(
  { email, ...resource }: { email: string; resourceType: string; resourceId: string },
  application: Application,
  client?: TransactionClientContract
): Promise<ShownOverride[]> {
  const overrides = await plainRows(
    userOverrides(email, application, client).where(resource).orderBy('id')
  )
  if (overrides.length === 0) return []
  const ids = overrides.map(({ permissionId }) => permissionId)
  const permissions = await plainRows(
    Permission.query({ client }).whereIn('id', ids).select('id', 'code')
  )
  return withPermissions(overrides, permissions)
}

function withPermissions(
  overrides: PlainRow<ResourceOverride>[],
  permissions: Pick<PlainRow<Permission>, 'id' | 'code'>[]
): ShownOverride[] {
  const permissionsById = new Map(permissions.map((permission) => [permission.id, permission]))
  // A permission that was deleted in between takes its overrides with it.
  return overrides.flatMap((override) => {
    const permission = permissionsById.get(override.permissionId)
    return permission ? { ...override, permission } : []
  })
}

export function userOverrides(
  email: string,
  application: Application,
  client?: TransactionClientContract
) {
  return ResourceOverride.query({ client })
    .where('email', email)
    .whereIn('permissionId', (permissions) =>
      permissions.from('permissions').where('application_id', application.id).select('id')
    )
}
