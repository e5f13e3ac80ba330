import type { AuditedRow } from '#core/audit/audited_row'
import type Permission from '#app/permissions/models/permission'
import type Role from '#app/permissions/models/role'
import { permissionResource } from '#app/permissions/transformers/permission_resource'
import { roleResource } from '#app/permissions/transformers/role_resource'
import { permissionTarget, roleTarget } from '#app/permissions/values/audit_targets'

export const auditedPermission = (permission: Permission, appCode: string): AuditedRow => ({
  application: { id: permission.applicationId, code: appCode },
  target: permissionTarget(permission),
  state: permissionResource(permission),
})

export const auditedRole = (role: Role, appCode: string): AuditedRow => ({
  application: { id: role.applicationId, code: appCode },
  target: roleTarget(role),
  state: roleResource(role),
})
