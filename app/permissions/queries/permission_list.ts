import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'

export interface ListedPermission {
  permission: Permission
  /** Roles that grant the permission. */
  roleCount: number
  /** Overrides that name the permission, of all users on all resources. */
  overrideCount: number
}

/** The columns that a search covers. */
export const PERMISSION_TEXTS = ['code', 'name', 'description']

/** For `withCounts`. */
export function permissionsOf({ id }: Application) {
  return Permission.query().where('applicationId', id).withCount('grants').withCount('overrides')
}

export function withCounts(permission: Permission): ListedPermission {
  return {
    permission,
    roleCount: Number(permission.$extras.grants_count),
    overrideCount: Number(permission.$extras.overrides_count),
  }
}
