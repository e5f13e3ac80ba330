import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { type Destination, insertRows } from '#core/database/insert_rows'
import Application from '#app/applications/models/application'
import { listRolePermissions } from '#app/permissions/actions/list_role_permissions'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import {
  ConditionsTooLarge,
  InvalidAccessLevel,
  TooManyRolePermissions,
} from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import { rolePermissionsState } from '#app/permissions/transformers/audit_states'
import { roleTarget } from '#app/permissions/values/audit_targets'
import {
  type ReferencedPermission,
  findReferencedPermissions,
} from '#app/permissions/queries/referenced_rows'
import { readGrants } from '#app/permissions/queries/read_grants'
import { grantsOf } from '#app/permissions/queries/role_permission_matrix'
import { type AccessLevel, fitsType } from '#app/permissions/values/access_level'
import { MAX_CONDITION_BYTES, conditionBytes } from '#app/permissions/values/condition_bytes'
import { requireBuiltInLevel } from '#app/permissions/values/built_in_roles'
import { MANAGE_APPLICATIONS } from '#app/applications/values/panel'

/** Of all roles of an application together. */
export const MAX_ROLE_PERMISSIONS = 50_000

export interface PermissionGrant {
  permissionId: number
  accessLevel: AccessLevel
  /** In CEL (permissions.md#conditions). */
  condition?: string | null
}

/** With `insertRows`. */
export const ROLE_PERMISSIONS: Destination = {
  table: 'role_permissions',
  columns: {
    role_id: 'integer',
    permission_id: 'integer',
    access_level: 'text',
    condition: 'text',
  },
}

interface Replacement {
  appCode: string
  roleId: number
  grants: PermissionGrant[]
  requireFresh?: RequireFresh<RolePermission[]>
}

/**
 * @throws ApplicationNotFound, RoleNotFound, Stale, ConditionInvalid, InvalidAccessLevel,
 *   PanelProtected, TooManyRolePermissions, ConditionsTooLarge,
 *   ValidationError for an unknown permission id
 */
export function replaceRolePermissions(
  appCode: string,
  roleId: number,
  grants: PermissionGrant[],
  requireFresh: RequireFresh<RolePermission[]> = unconditional
): Promise<RolePermission[]> {
  return replaceGrants({ appCode, roleId, grants, requireFresh }, listRolePermissions)
}

/**
 * The same for many roles in one transaction, without reading what is stored afterwards.
 * @throws what `replaceRolePermissions` throws, except Stale
 */
export function saveRolePermissions(
  appCode: string,
  roleId: number,
  grants: PermissionGrant[]
): Promise<void> {
  return replaceGrants({ appCode, roleId, grants }, async () => {})
}

async function replaceGrants<T>(
  { appCode, roleId, grants, requireFresh = unconditional }: Replacement,
  read: (role: Role, trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  await requireValidConditions(appCode, grants, 'permissions')
  return accessTransaction(async (trx, changed) => {
    changed({ application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    const role = await Role.of(application, roleId, trx)
    await requireFresh(() => listRolePermissions(role, trx))
    const permissions = await findReferencedPermissions(application, grants, trx)
    for (const { permissionId, accessLevel } of grants) {
      requireValidLevel(permissions.get(permissionId)!, accessLevel)
    }
    const managing = grants.find(
      ({ permissionId }) => permissions.get(permissionId)!.code === MANAGE_APPLICATIONS
    )
    requireBuiltInLevel({
      appCode,
      role: role.code,
      permission: MANAGE_APPLICATIONS,
      accessLevel: managing?.accessLevel,
    })
    const before = await readGrants(role, trx)
    await RolePermission.query({ client: trx }).where('roleId', role.id).delete()
    const rows = grants.map(({ permissionId, accessLevel, condition }) => ({
      role_id: role.id,
      permission_id: permissionId,
      access_level: accessLevel,
      condition: condition ?? null,
    }))
    await insertRows(ROLE_PERMISSIONS, rows, trx)
    await requireRoomForGrants(application, { before, after: rows }, trx)
    await recordChange(trx, {
      action: 'role.permissions_replaced',
      application,
      target: roleTarget(role),
      before: rolePermissionsState(before),
      after: rolePermissionsState(await readGrants(role, trx)),
    })
    return read(role, trx)
  })
}

/** @throws InvalidAccessLevel */
export function requireValidLevel(permission: ReferencedPermission, accessLevel: AccessLevel) {
  if (fitsType(permission.type, accessLevel)) return
  throw new InvalidAccessLevel({
    details: { permission: permission.code, type: permission.type, accessLevel },
  })
}

/**
 * Asks only if the change adds to what is limited, so that what is beyond a limit can be reduced.
 * @throws TooManyRolePermissions, ConditionsTooLarge if the roles of the application exceed a limit
 */
export async function requireRoomForGrants(
  application: Application,
  { before, after }: Record<'before' | 'after', Pick<PermissionGrant, 'condition'>[]>,
  trx: TransactionClientContract
) {
  const moreGrants = after.length > before.length
  const moreBytes = conditionBytes(after) > conditionBytes(before)
  if (!moreGrants && !moreBytes) return
  const [{ $extras: stored }] = await grantsOf(application, trx)
    .count('* as grants')
    .select(trx.raw('sum(octet_length(condition)) as bytes'))
  if (moreGrants && Number(stored.grants) > MAX_ROLE_PERMISSIONS) {
    throw new TooManyRolePermissions({ details: { limit: MAX_ROLE_PERMISSIONS } })
  }
  if (moreBytes && Number(stored.bytes) > MAX_CONDITION_BYTES) {
    throw new ConditionsTooLarge({ details: { limit: MAX_CONDITION_BYTES } })
  }
}
