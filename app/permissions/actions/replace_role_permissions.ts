import { accessTransaction } from '#core/database/access_transaction'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { PanelProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import {
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import { listRolePermissions } from '#app/permissions/actions/list_role_permissions'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { InvalidAccessLevel } from '#app/permissions/exceptions'
import type Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import { findReferencedPermissions } from '#app/permissions/queries/referenced_rows'
import type { AccessLevel } from '#app/permissions/values/access_level'

export interface PermissionGrant {
  permissionId: number
  accessLevel: AccessLevel
}

const ROLE_PERMISSIONS: Destination = {
  table: 'role_permissions',
  columns: { role_id: 'integer', permission_id: 'integer', access_level: 'text' },
}

/** The level of `applications.manage` that each built-in role must give. */
const BUILT_IN_ROLES = new Map<string, AccessLevel | undefined>([
  [PANEL_ADMIN_ROLE, 'edit'],
  [APPLICATION_MANAGER_ROLE, undefined],
])

/**
 * @throws ApplicationNotFound, RoleNotFound, InvalidAccessLevel, PanelProtected, ValidationError
 *   for an unknown permission id
 */
export async function replaceRolePermissions(
  appCode: string,
  roleId: number,
  grants: PermissionGrant[]
): Promise<RolePermission[]> {
  return accessTransaction(async (trx, changed) => {
    changed({ application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    const role = await Role.of(application.id, roleId, trx)
    const permissions = await findReferencedPermissions(application, grants, trx)
    requireValidLevels(grants, permissions)
    if (appCode === PANEL_APPLICATION) requireBuiltInLevel(role, grants, permissions)
    await RolePermission.query({ client: trx }).where('roleId', role.id).delete()
    const rows = grants.map(({ permissionId, accessLevel }) => {
      return { role_id: role.id, permission_id: permissionId, access_level: accessLevel }
    })
    await insertRows(ROLE_PERMISSIONS, rows, trx)
    return listRolePermissions(role, trx)
  })
}

function requireValidLevels(grants: PermissionGrant[], permissions: Map<number, Permission>) {
  for (const { permissionId, accessLevel } of grants) {
    const permission = permissions.get(permissionId)!
    if (permission.accepts(accessLevel)) continue
    throw new InvalidAccessLevel({
      details: { permission: permission.code, type: permission.type, accessLevel },
    })
  }
}

function requireBuiltInLevel(
  { code }: Role,
  grants: PermissionGrant[],
  permissions: Map<number, Permission>
) {
  if (!BUILT_IN_ROLES.has(code)) return
  const grant = grants.find(
    ({ permissionId }) => permissions.get(permissionId)!.code === MANAGE_APPLICATIONS
  )
  if (grant?.accessLevel !== BUILT_IN_ROLES.get(code)) throw new PanelProtected()
}
