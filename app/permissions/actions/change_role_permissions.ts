import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { insertRows } from '#core/database/insert_rows'
import { type RequireFresh, unconditional } from '#core/http/etag'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import {
  ROLE_PERMISSIONS,
  requireRoomForGrants,
  requireValidLevel,
} from '#app/permissions/actions/replace_role_permissions'
import RolePermission from '#app/permissions/models/role_permission'
import { countAffectedPeople } from '#app/permissions/queries/count_affected_people'
import {
  findReferencedPermissions,
  findReferencedRoles,
} from '#app/permissions/queries/referenced_rows'
import {
  type RolePermissionMatrix,
  readMatrix,
} from '#app/permissions/queries/role_permission_matrix'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { requireBuiltInLevel } from '#app/permissions/values/built_in_roles'

export interface RolePermissionChange {
  roleId: number
  permissionId: number
  /** Null removes the permission from the role. */
  accessLevel: AccessLevel | null
}

export interface RolePermissionEffect extends RolePermissionChange {
  previousLevel: AccessLevel | null
  /** Users with the role who have another level of the permission after all changes. */
  peopleAffected: number
}

interface Options {
  dryRun?: boolean
  requireFresh?: RequireFresh<RolePermissionMatrix>
}

/**
 * @returns the effect of each change, in the order given
 * @throws ApplicationNotFound, Stale, InvalidAccessLevel, PanelProtected, TooManyRolePermissions,
 *   ValidationError for an unknown role or permission id
 */
export async function changeRolePermissions(
  appCode: string,
  changes: RolePermissionChange[],
  { dryRun, requireFresh = unconditional }: Options = {}
): Promise<RolePermissionEffect[]> {
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      await requireFresh(() => readMatrix(application, trx))
      await requireValidChanges(application, changes, trx)
      const stored = await storedGrants(changes, trx)
      const people = await countAffectedPeople(application, changes, trx)
      await replaceGrants(application, changes, [...stored.values()], trx)
      return changes.map((change, index) => ({
        ...change,
        previousLevel: stored.get(keyOf(change))?.accessLevel ?? null,
        peopleAffected: people[index],
      }))
    },
    { dryRun }
  )
}

async function replaceGrants(
  application: Application,
  changes: RolePermissionChange[],
  stored: RolePermission[],
  trx: TransactionClientContract
) {
  const ids = stored.map(({ id }) => id)
  await RolePermission.query({ client: trx }).whereIn('id', ids).delete()
  const rows = changes
    .filter(({ accessLevel }) => accessLevel !== null)
    .map(({ roleId, permissionId, accessLevel }) => {
      return { role_id: roleId, permission_id: permissionId, access_level: accessLevel }
    })
  await insertRows(ROLE_PERMISSIONS, rows, trx)
  if (rows.length > stored.length) await requireRoomForGrants(application, trx)
}

async function requireValidChanges(
  application: Application,
  changes: RolePermissionChange[],
  trx: TransactionClientContract
) {
  const fieldAt = (name: string) => (index: number) => `changes.${index}.${name}`
  const roleIds = changes.map(({ roleId }) => roleId)
  const roles = await findReferencedRoles(application, roleIds, trx, fieldAt('roleId'))
  const permissions = await findReferencedPermissions(
    application,
    changes,
    trx,
    fieldAt('permissionId')
  )
  for (const { roleId, permissionId, accessLevel } of changes) {
    const permission = permissions.get(permissionId)!
    if (accessLevel !== null) requireValidLevel(permission, accessLevel)
    requireBuiltInLevel({
      appCode: application.code,
      role: roles.get(roleId)!.code,
      permission: permission.code,
      accessLevel: accessLevel ?? undefined,
    })
  }
}

/** The current levels of the pairs that change. */
async function storedGrants(changes: RolePermissionChange[], trx: TransactionClientContract) {
  const wanted = new Set(changes.map(keyOf))
  const grants = await RolePermission.query({ client: trx })
    .whereIn('roleId', [...new Set(changes.map(({ roleId }) => roleId))])
    .whereIn('permissionId', [...new Set(changes.map(({ permissionId }) => permissionId))])
  return new Map(
    grants.map((grant) => [keyOf(grant), grant] as const).filter(([key]) => wanted.has(key))
  )
}

const keyOf = ({ roleId, permissionId }: { roleId: number; permissionId: number }) =>
  `${roleId}:${permissionId}`
