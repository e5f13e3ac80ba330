import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { requireRoom } from '#core/database/require_room'
import { serialize } from '#core/database/serialize'
import { unlessTaken } from '#core/database/unique'
import Application from '#app/applications/models/application'
import { requireNoPanelPart } from '#app/applications/values/panel'
import {
  InvalidParent,
  PermissionExists,
  PermissionInUse,
  TooManyPermissions,
} from '#app/permissions/exceptions'
import Permission from '#app/permissions/models/permission'
import { isPermissionInUse } from '#app/permissions/queries/permission_usage'
import type { PermissionType } from '#app/permissions/values/access_level'

export const MAX_PERMISSIONS = 2_000

export interface PermissionFields {
  code: string
  type: PermissionType
  description?: string | null
  groupName?: string | null
  parentPermissionId?: number | null
  global?: boolean
}

/** What decides, as opposed to texts. */
const DECIDING = ['code', 'type', 'global', 'parentPermissionId'] as const

/** @throws ApplicationNotFound, PermissionExists, TooManyPermissions, InvalidParent */
export async function createPermission(appCode: string, fields: PermissionFields) {
  return unlessTaken(PermissionExists, () =>
    changingAccess(async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const existing = Permission.query({ client: trx }).where('applicationId', application.id)
      await requireRoom(existing, MAX_PERMISSIONS, TooManyPermissions)
      const permission = new Permission().useTransaction(trx)
      permission.merge({ global: false, ...fields, applicationId: application.id })
      await requireValidParent(permission, trx)
      await permission.save()
      return permission.refresh()
    })
  )
}

/**
 * Changes the fields that are given. The type of a permission that roles or overrides use stays, because their levels
 * would no longer fit; of the panel's own permission only texts change.
 *
 * @throws ApplicationNotFound, PermissionNotFound, PermissionExists, PermissionInUse, InvalidParent, PanelProtected
 */
export async function updatePermission(
  appCode: string,
  id: number,
  fields: Partial<PermissionFields>
) {
  return unlessTaken(PermissionExists, () =>
    changingAccess(async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const permission = await Permission.of(application.id, id, trx)
      const changes = DECIDING.filter(
        (field) => fields[field] !== undefined && fields[field] !== permission[field]
      )
      if (changes.length > 0) requireNoPanelPart('permission', appCode, permission.code)
      if (changes.includes('type') && (await isPermissionInUse(id, trx)))
        throw new PermissionInUse()
      permission.merge(fields)
      await requireValidParent(permission, trx)
      return permission.save()
    })
  )
}

/**
 * Deletes a permission with the assignments that name it.
 *
 * @throws ApplicationNotFound, PermissionNotFound, PanelProtected
 */
export async function deletePermission(appCode: string, id: number) {
  const application = await Application.withCode(appCode)
  await changingAccess(async (trx, changed) => {
    changed({ application: appCode })
    const permission = await Permission.of(application.id, id, trx)
    requireNoPanelPart('permission', appCode, permission.code)
    await permission.delete()
  })
}

/** Writers that rest on a permission's type or parents and those that change them take turns per application. */
export function lockPermissions(application: Application, trx: TransactionClientContract) {
  return serialize(trx, `permissions:${application.id}`)
}

/** @throws InvalidParent for a parent of another application, or one that the permission is itself an ancestor of */
async function requireValidParent(permission: Permission, trx: TransactionClientContract) {
  if (!permission.parentPermissionId) return
  const others: { id: number; parent_permission_id: number | null }[] = await trx
    .from('permissions')
    .where('application_id', permission.applicationId)
    .select('id', 'parent_permission_id')
  const parentOf = new Map(others.map((other) => [other.id, other.parent_permission_id]))
  const seen = new Set([permission.id])
  let parentId: number | null | undefined = permission.parentPermissionId
  while (parentId) {
    if (seen.has(parentId) || !parentOf.has(parentId)) {
      throw new InvalidParent({ details: { parentPermissionId: parentId } })
    }
    seen.add(parentId)
    parentId = parentOf.get(parentId)
  }
}
