import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { requireNotBuiltIn } from '#app/applications/values/panel'
import type { PermissionFields } from '#app/permissions/actions/create_permission'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidParent } from '#app/permissions/actions/require_valid_parent'
import { PermissionExists, PermissionInUse } from '#app/permissions/exceptions'
import Permission from '#app/permissions/models/permission'
import { auditedPermission } from '#app/permissions/transformers/audited_rows'
import {
  type PermissionUses,
  countPermissionUses,
} from '#app/permissions/queries/count_permission_uses'

/** The fields that decide access; the others are texts. */
const ACCESS_FIELDS = ['code', 'type', 'global', 'parentPermissionId'] as const

/** Changes of a permission in use that the caller has confirmed. */
export interface ConfirmedChanges {
  /** A new code, which applications must then use. */
  rename?: boolean
  /** That it becomes global, so that its overrides lose their effect. */
  force?: boolean
}

type AccessField = (typeof ACCESS_FIELDS)[number]

/**
 * @throws ApplicationNotFound, PermissionNotFound, Stale, PermissionExists, PermissionInUse,
 *   InvalidParent, PanelProtected
 */
export async function updatePermission(
  appCode: string,
  id: number,
  fields: Partial<PermissionFields>,
  confirmed: ConfirmedChanges = {},
  requireFresh: RequireFresh<Permission> = unconditional
) {
  return mapUniqueViolation(PermissionExists, () =>
    accessTransaction(async (trx, changed) => {
      changed({ application: appCode })
      const application = await Application.withCode(appCode, trx)
      await lockPermissions(application, trx)
      const permission = await Permission.of(application, id, trx)
      await requireFresh(() => permission)
      const changes = ACCESS_FIELDS.filter(
        (field) => fields[field] !== undefined && fields[field] !== permission[field]
      )
      if (changes.length > 0) {
        requireNotBuiltIn('permission', appCode, permission.code)
        const global = changes.includes('global') && fields.global
        requireChangeable(changes, await countPermissionUses(id, trx), { ...confirmed, global })
      }
      const before = auditedPermission(permission, appCode)
      permission.merge(fields)
      await requireValidParent(permission, trx)
      await permission.save()
      await recordChange(trx, updateOf(before, auditedPermission(permission, appCode)))
      return permission
    })
  )
}

/** See permissions.md#changing-a-permission-in-use. @throws PermissionInUse */
function requireChangeable(
  changes: AccessField[],
  uses: PermissionUses,
  { rename, force, global }: ConfirmedChanges & { global?: boolean }
) {
  const refuse = (detail: string) => {
    throw new PermissionInUse({ detail, details: { ...uses } })
  }
  if (uses.overrides > 0 && global && !force) {
    refuse('A permission that overrides name becomes global only with force=true')
  }
  if (uses.roles === 0 && uses.overrides === 0) return
  // The stored levels would no longer fit.
  if (changes.includes('type')) refuse('The type of a permission in use cannot change')
  if (changes.includes('code') && !rename) {
    refuse('The code of a permission in use changes only with rename=true')
  }
}
