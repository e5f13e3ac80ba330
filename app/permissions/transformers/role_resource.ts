import { isoTimestamp } from '#core/values/iso_timestamp'
import type { PlainRow } from '#core/database/plain_rows'
import type Role from '#app/permissions/models/role'
import type { ListedRole } from '#app/permissions/queries/role_list'
import type RolePermission from '#app/permissions/models/role_permission'

export function roleResource(role: PlainRow<Role>) {
  return {
    id: role.id,
    code: role.code,
    name: role.name,
    description: role.description,
    createdAt: isoTimestamp(role.createdAt),
  }
}

export function listedRoleResource({ role, userCount, permissionCount }: ListedRole) {
  return { ...roleResource(role), userCount, permissionCount }
}

/** Expects `permission` to be loaded. */
export function rolePermissionResource({ permission, accessLevel, condition }: RolePermission) {
  return {
    permissionId: permission.id,
    permissionCode: permission.code,
    type: permission.type,
    accessLevel,
    condition,
  }
}
