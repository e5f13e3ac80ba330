import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'

/** An override that is only shown. */
export type ShownOverride = Omit<PlainRow<ResourceOverride>, 'permission'> & {
  permission: { code: string }
}

/** Those of a user in an application, or on one resource there. There can be thousands. */
export async function listOverrides(
  { email, ...resource }: { email: string; resourceType?: string; resourceId?: string },
  application: Application,
  client?: TransactionClientContract
): Promise<ShownOverride[]> {
  const rows = await plainRows(
    userOverrides(email, application, client).where(resource).orderBy('id')
  )
  if (rows.length === 0) return []
  const ids = new Set(rows.map(({ permissionId }) => permissionId))
  const permissions = await plainRows(
    Permission.query({ client })
      .whereIn('id', [...ids])
      .select('id', 'code')
  )
  const permissionsById = new Map(permissions.map((permission) => [permission.id, permission]))
  // A permission that was deleted in between takes its overrides with it.
  return rows.flatMap((row) => {
    const permission = permissionsById.get(row.permissionId)
    return permission ? { ...row, permission } : []
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
