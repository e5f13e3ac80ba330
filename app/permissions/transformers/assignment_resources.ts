import { isoTimestamp } from '#core/values/iso_timestamp'
import type ApplicationAdmin from '#app/permissions/models/application_admin'
import type { ShownUserRole } from '#app/permissions/actions/list_user_roles'
import type { Assignment } from '#app/permissions/queries/assignments'
import type { ShownOverride } from '#app/permissions/queries/user_overrides'
import type SuperAdmin from '#app/permissions/models/super_admin'
import { roleResource } from '#app/permissions/transformers/role_resource'
import { windowResource } from '#app/permissions/values/time_window'

/** @param override with `permission` loaded */
export function overrideResource(application: string, override: ShownOverride) {
  return {
    email: override.email,
    application,
    resourceType: override.resourceType,
    resourceId: override.resourceId,
    permissionId: override.permissionId,
    permission: override.permission.code,
    granted: override.granted,
    accessLevel: override.accessLevel,
    condition: override.condition,
    ...windowResource(override),
  }
}

export function userRoleResource(application: string, assignment: ShownUserRole) {
  const { email, role } = assignment
  return {
    ...roleResource(role),
    email,
    application,
    roleId: role.id,
    role: role.code,
    ...windowResource(assignment),
  }
}

export function superAdminResource(admin: SuperAdmin) {
  const { email, createdAt } = admin
  return { email, createdAt: isoTimestamp(createdAt), ...windowResource(admin) }
}

export function applicationAdminResource(application: string, admin: ApplicationAdmin) {
  const { email, createdAt } = admin
  return { email, application, createdAt: isoTimestamp(createdAt), ...windowResource(admin) }
}

/** One row of what users hold in an application; the fields depend on its kind. */
export function assignmentResource({ kind, row }: Assignment) {
  const { id, email } = row
  const shared = { id, email, createdAt: isoTimestamp(row.createdAt), ...windowResource(row) }
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
        condition: row.condition,
      }
    case 'administrator':
      return { kind, ...shared }
  }
}
