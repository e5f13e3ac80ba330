import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { PanelProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import {
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import { lockPermissions } from '#app/permissions/actions/save_permission'
import { InvalidAccessLevel } from '#app/permissions/exceptions'
import type Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import { findPermissions } from '#app/permissions/queries/application_members'
import type { AccessLevel } from '#app/permissions/values/access_level'

export interface PermissionGrant {
  permissionId: number
  accessLevel: AccessLevel
}

const ROLE_PERMISSIONS: Destination = {
  table: 'role_permissions',
  columns: { role_id: 'integer', permission_id: 'integer', access_level: 'text' },
}

/** The level of `applications.manage` that the panel's own roles give; the others give what one likes. */
const PANEL_ROLES = new Map<string, AccessLevel | undefined>([
  [PANEL_ADMIN_ROLE, 'edit'],
  [APPLICATION_MANAGER_ROLE, undefined],
])

/**
 * Replaces the whole set of permissions a role gives, in one transaction.
 *
 * @throws ApplicationNotFound, RoleNotFound, InvalidAccessLevel, PanelProtected, ValidationError for an unknown
 * permission id
 */
export async function replaceRolePermissions(
  appCode: string,
  roleId: number,
  grants: PermissionGrant[]
): Promise<RolePermission[]> {
  return changingAccess(async (trx, changed) => {
    changed({ application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    const role = await Role.of(application.id, roleId, trx)
    const permissions = await findPermissions(application, grants, trx)
    requireFittingLevels(grants, permissions)
    if (appCode === PANEL_APPLICATION) requirePanelLevel(role, grants, permissions)
    await RolePermission.query({ client: trx }).where('roleId', role.id).delete()
    const rows = grants.map(({ permissionId, accessLevel }) => {
      return { role_id: role.id, permission_id: permissionId, access_level: accessLevel }
    })
    await insertRows(ROLE_PERMISSIONS, rows, trx)
    return listRolePermissions(role, trx)
  })
}

/** The permissions a role gives, in the order of their ids. */
export function listRolePermissions(role: Role, client?: TransactionClientContract) {
  return RolePermission.query({ client })
    .where('roleId', role.id)
    .preload('permission')
    .orderBy('permissionId')
}

function requireFittingLevels(grants: PermissionGrant[], permissions: Map<number, Permission>) {
  for (const { permissionId, accessLevel } of grants) {
    const permission = permissions.get(permissionId)!
    if (permission.accepts(accessLevel)) continue
    throw new InvalidAccessLevel({
      details: { permission: permission.code, type: permission.type, accessLevel },
    })
  }
}

/** @throws PanelProtected when a role of the panel would no longer mean what it means to everybody who has it */
function requirePanelLevel(
  { code }: Role,
  grants: PermissionGrant[],
  permissions: Map<number, Permission>
) {
  if (!PANEL_ROLES.has(code)) return
  const grant = grants.find(
    ({ permissionId }) => permissions.get(permissionId)!.code === MANAGE_APPLICATIONS
  )
  if (grant?.accessLevel !== PANEL_ROLES.get(code)) throw new PanelProtected()
}
