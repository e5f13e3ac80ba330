import { isoTimestamp } from '#core/database/columns'
import type ApplicationAdmin from '#app/permissions/models/application_admin'
import type ResourceOverride from '#app/permissions/models/resource_override'
import type { Assignment } from '#app/permissions/queries/assignments'
import type Role from '#app/permissions/models/role'
import type SuperAdmin from '#app/permissions/models/super_admin'
import { roleResource } from '#app/permissions/transformers/role_resource'

/** @param override with `permission` loaded */
export function overrideResource(application: string, override: ResourceOverride) {
  return {
    email: override.email,
    application,
    resourceType: override.resourceType,
    resourceId: override.resourceId,
    permissionId: override.permissionId,
    permission: override.permission.code,
    granted: override.granted,
    accessLevel: override.accessLevel,
  }
}

export function userRoleResource(email: string, application: string, role: Role) {
  return { ...roleResource(role), email, application, roleId: role.id, role: role.code }
}

export function superAdminResource({ email, createdAt }: SuperAdmin) {
  return { email, createdAt: isoTimestamp(createdAt) }
}

export function applicationAdminResource(application: string, admin: ApplicationAdmin) {
  return { email: admin.email, application, createdAt: isoTimestamp(admin.createdAt) }
}

/** One row of what people hold in an application; the fields depend on its kind. */
export function assignmentResource({ kind, row }: Assignment) {
  const { id, email } = row
  const shared = { id, email, createdAt: isoTimestamp(row.createdAt) }
  switch (kind) {
    case 'role':
      return { kind, ...shared, roleId: row.roleId, role: row.role.code, name: row.role.name }
    case 'override':
      return {
        kind,
        ...shared,
        permissionId: row.permissionId,
        permission: row.permission.code,
        name: row.permission.name,
        resourceType: row.resourceType,
        resourceId: row.resourceId,
        granted: row.granted,
        accessLevel: row.accessLevel,
      }
    case 'administrator':
      return { kind, ...shared }
  }
}
