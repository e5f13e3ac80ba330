import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'

export interface ListedPermission {
  permission: Permission
  /** Roles that give the permission. */
  roleCount: number
  /** Overrides that name the permission, of all people on all resources. */
  overrideCount: number
}

export async function listPermissions(application: Application): Promise<ListedPermission[]> {
  const permissions = await Permission.query()
    .where('applicationId', application.id)
    .withCount('grants')
    .withCount('overrides')
    .orderBy('id')
  return permissions.map((permission) => ({
    permission,
    roleCount: Number(permission.$extras.grants_count),
    overrideCount: Number(permission.$extras.overrides_count),
  }))
}
