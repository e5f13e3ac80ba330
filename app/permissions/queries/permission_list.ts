import type { PlainRow } from '#core/database/plain_rows'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'

export interface ListedPermission {
  permission: PlainRow<Permission>
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

export function withCounts(permission: PlainRow<Permission>): ListedPermission {
  const counts = permission as typeof permission & Record<`${string}_count`, unknown>
  return {
    permission,
    roleCount: Number(counts.grants_count),
    overrideCount: Number(counts.overrides_count),
  }
}
