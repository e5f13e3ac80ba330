import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'

/** Lists the permissions of a role, with `permission` loaded. */
export function listRolePermissions(role: Role, client?: TransactionClientContract) {
  return RolePermission.query({ client })
    .where('roleId', role.id)
    .preload('permission')
    .orderBy('permissionId')
}
