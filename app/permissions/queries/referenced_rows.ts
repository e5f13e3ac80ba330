import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type PlainRow, columnsOf, plainRows } from '#core/database/plain_rows'
import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'

const REFERENCED = ['id', 'code', 'type', 'global'] as const

/** What the rules need. A list can name thousands, and loading models would take too long. */
export type ReferencedPermission = Pick<PlainRow<Permission>, (typeof REFERENCED)[number]>

/**
 * Reads no others: a transaction can make thousands of changes.
 *
 * @returns the permissions by id
 * @throws ValidationError for items whose permission is not in the application
 */
export async function findReferencedPermissions(
  application: Application,
  items: { permissionId: number }[],
  trx: TransactionClientContract,
  fieldAt = (index: number) => `permissions.${index}.permissionId`
): Promise<Map<number, ReferencedPermission>> {
  const ids = items.map(({ permissionId }) => permissionId)
  const permissions = await plainRows(
    Permission.query({ client: trx })
      .where('applicationId', application.id)
      .whereIn('id', [...new Set(ids)])
      .select(...columnsOf(Permission, REFERENCED))
  )
  const byId = new Map(permissions.map((permission) => [permission.id, permission]))
  requireKnown(ids, byId, fieldAt)
  return byId
}

/**
 * Reads no others: models are kept until the transaction ends, which may make thousands of changes.
 *
 * @returns the roles by id
 * @throws ValidationError for roles that are not in the application
 */
export async function findReferencedRoles(
  application: Application,
  roleIds: number[],
  trx: TransactionClientContract,
  fieldAt = (index: number) => `roleIds.${index}`
): Promise<Map<number, Role>> {
  const roles = await Role.query({ client: trx })
    .where('applicationId', application.id)
    .whereIn('id', [...new Set(roleIds)])
  const byId = new Map(roles.map((role) => [role.id, role]))
  requireKnown(roleIds, byId, fieldAt)
  return byId
}

function requireKnown(
  ids: number[],
  known: Map<number, unknown>,
  fieldAt: (index: number) => string
) {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries()) {
    if (known.has(id)) continue
    const message = `The id ${id} does not exist in the application`
    errors.push({ field: fieldAt(index), rule: 'exists', message })
    if (errors.length === MAX_VALIDATION_ERRORS) break
  }
  if (errors.length > 0) throw invalidFields(errors)
}
