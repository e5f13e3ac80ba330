import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/save_permission'
import { InvalidAccessLevel } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import { findPermissions } from '#app/permissions/queries/application_members'
import type { AccessLevel } from '#app/permissions/values/access_level'

export interface PermissionGrant {
  permissionId: number
  accessLevel: AccessLevel
}

/**
 * Replaces the whole set of permissions a role gives, in one transaction.
 *
 * @throws ApplicationNotFound, RoleNotFound, InvalidAccessLevel, ValidationError for an unknown permission id
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
    await requireFittingLevels(application, grants, trx)
    await RolePermission.query({ client: trx }).where('roleId', role.id).delete()
    await RolePermission.createMany(
      grants.map((grant) => ({ ...grant, roleId: role.id })),
      { client: trx }
    )
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

async function requireFittingLevels(
  application: Application,
  grants: PermissionGrant[],
  trx: TransactionClientContract
) {
  const permissions = await findPermissions(application, grants, trx)
  for (const { permissionId, accessLevel } of grants) {
    const permission = permissions.get(permissionId)!
    if (permission.accepts(accessLevel)) continue
    throw new InvalidAccessLevel({
      details: { permission: permission.code, type: permission.type, accessLevel },
    })
  }
}
