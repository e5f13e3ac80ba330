import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChanges } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { insertRows } from '#core/database/insert_rows'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import Application from '#app/applications/models/application'
import { countAffectedUsers } from '#app/permissions/actions/count_affected_users'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import {
  ROLE_PERMISSIONS,
  requireRoomForGrants,
  requireValidLevel,
} from '#app/permissions/actions/replace_role_permissions'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import type Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import {
  type ReferencedPermission,
  findReferencedPermissions,
  findReferencedRoles,
} from '#app/permissions/queries/referenced_rows'
import {
  type RolePermissionMatrix,
  readMatrix,
} from '#app/permissions/queries/role_permission_matrix'
import { roleChanges } from '#app/permissions/transformers/role_changes'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { requireBuiltInLevel } from '#app/permissions/values/built_in_roles'

export interface RolePermissionChange {
  roleId: number
  permissionId: number
  /** Null removes the permission from the role. */
  accessLevel: AccessLevel | null
  /** Without it, a permission that the role has keeps its condition. */
  condition?: string | null
}

export interface RolePermissionEffect extends RolePermissionChange {
  previousLevel: AccessLevel | null
  /** The condition after the change. */
  condition: string | null
  previousCondition: string | null
  /** Users with the role for whom a check of the permission can have another result. */
  peopleAffected: number
}

interface Options {
  dryRun?: boolean
  requireFresh?: RequireFresh<RolePermissionMatrix>
}

/**
 * @returns the effect of each change, in the order given
 * @throws ApplicationNotFound, Stale, ConditionInvalid, InvalidAccessLevel, PanelProtected,
 *   TooManyRolePermissions, ConditionsTooLarge,
 *   ValidationError for an unknown role or permission id
 */
export async function changeRolePermissions(
  appCode: string,
  changes: RolePermissionChange[],
  options: Options = {}
): Promise<RolePermissionEffect[]> {
  const { application, effects, before } = await makeChanges(appCode, changes, options)
  // Only now, because nothing else could be changed while very many users are counted.
  const affected = await countAffectedUsers(application, effects, before)
  return effects.map((effect, index) => ({ ...effect, peopleAffected: affected[index] }))
}

interface Changed {
  application: Application
  effects: Omit<RolePermissionEffect, 'peopleAffected'>[]
  /** Everything that roles granted of the permissions that change. */
  before: StoredGrant[]
}

async function makeChanges(
  appCode: string,
  changes: RolePermissionChange[],
  { dryRun, requireFresh = unconditional }: Options
): Promise<Changed> {
  await requireValidConditions(appCode, changes, 'changes')
  requireNoConditionOfRemovals(changes)
  return accessTransaction(
    async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      await requireFresh(() => readMatrix(application, trx))
      const referenced = await requireValidChanges(application, changes, trx)
      const before = await grantsOfPermissions(changes, trx)
      const stored = onlyChanging(before, changes)
      const effects = changes.map((change) => ({
        ...change,
        condition: conditionAfter(change, stored),
        previousLevel: stored.get(keyOf(change))?.accessLevel ?? null,
        previousCondition: stored.get(keyOf(change))?.condition ?? null,
      }))
      await replaceGrants(application, effects, stored, trx)
      const recorded = effects.map((effect) => ({
        ...effect,
        before: { accessLevel: effect.previousLevel, condition: effect.previousCondition },
        after: effect,
      }))
      await recordChanges(trx, roleChanges(recorded, { application, ...referenced }))
      return { application, effects, before }
    },
    { dryRun }
  )
}

async function replaceGrants(
  application: Application,
  after: RolePermissionChange[],
  stored: StoredGrants,
  trx: TransactionClientContract
) {
  const ids = [...stored.values()].map(({ id }) => id)
  await RolePermission.query({ client: trx }).whereIn('id', ids).delete()
  const rows = after
    .filter(({ accessLevel }) => accessLevel !== null)
    .map(({ roleId, permissionId, accessLevel, condition }) => ({
      role_id: roleId,
      permission_id: permissionId,
      access_level: accessLevel,
      condition,
    }))
  await insertRows(ROLE_PERMISSIONS, rows, trx)
  await requireRoomForGrants(application, { before: [...stored.values()], after: rows }, trx)
}

type StoredGrant = PlainRow<RolePermission>
type StoredGrants = Map<string, StoredGrant>

function conditionAfter(change: RolePermissionChange, stored: StoredGrants): string | null {
  if (change.accessLevel === null) return null
  const { condition = stored.get(keyOf(change))?.condition } = change
  return condition ?? null
}

/** It would be lost. @throws ValidationError */
function requireNoConditionOfRemovals(changes: RolePermissionChange[]) {
  const errors: FieldError[] = changes.flatMap(({ accessLevel, condition }, index) => {
    if (accessLevel !== null || (condition ?? null) === null) return []
    const message = 'condition must be absent where accessLevel is null'
    return [{ field: `changes.${index}.condition`, rule: 'absent', message }]
  })
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_VALIDATION_ERRORS))
}

interface Referenced {
  roles: Map<number, Role>
  permissions: Map<number, ReferencedPermission>
}

async function requireValidChanges(
  application: Application,
  changes: RolePermissionChange[],
  trx: TransactionClientContract
): Promise<Referenced> {
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
  return { roles, permissions }
}

function grantsOfPermissions(changes: RolePermissionChange[], trx: TransactionClientContract) {
  const ids = new Set(changes.map(({ permissionId }) => permissionId))
  return plainRows(RolePermission.query({ client: trx }).whereIn('permissionId', [...ids]))
}

/** The grants of the pairs that change. */
function onlyChanging(grants: StoredGrant[], changes: RolePermissionChange[]): StoredGrants {
  const wanted = new Set(changes.map(keyOf))
  return new Map(
    grants.map((grant) => [keyOf(grant), grant] as const).filter(([key]) => wanted.has(key))
  )
}

const keyOf = ({ roleId, permissionId }: { roleId: number; permissionId: number }) =>
  `${roleId}:${permissionId}`
