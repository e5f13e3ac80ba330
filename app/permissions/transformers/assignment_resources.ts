import { isoTimestamp } from '#core/database/columns'
import type ApplicationAdmin from '#app/permissions/models/application_admin'
import type ResourceOverride from '#app/permissions/models/resource_override'
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
