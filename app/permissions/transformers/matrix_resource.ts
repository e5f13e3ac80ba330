import type { RolePermissionMatrix } from '#app/permissions/queries/role_permission_matrix'

export function matrixResource({ roles, permissions, grants }: RolePermissionMatrix) {
  return {
    roles: roles.map(({ id, code, name }) => ({ id, code, name })),
    permissions: permissions.map(({ id, code, name, type, groupName }) => {
      return { id, code, name, type, groupName }
    }),
    grants: grants.map(({ roleId, permissionId, accessLevel, condition }) => {
      return { roleId, permissionId, accessLevel, condition }
    }),
  }
}
