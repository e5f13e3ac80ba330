import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { ValidationError } from '#core/exceptions/problems'
import { MAX_FAULTS } from '#core/validation/fault_limit'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'

/**
 * The permissions that the items of a set name, by id.
 *
 * @throws ValidationError naming the first ten items whose permission the application does not
 *   have; ids of other applications look the same as ids that do not exist
 */
export async function findPermissions(
  application: Application,
  items: { permissionId: number }[],
  trx: TransactionClientContract
): Promise<Map<number, Permission>> {
  const permissions = await Permission.query({ client: trx }).where('applicationId', application.id)
  const byId = new Map(permissions.map((permission) => [permission.id, permission]))
  requireKnown(
    items.map(({ permissionId }) => permissionId),
    byId,
    (index) => `permissions.${index}.permissionId`
  )
  return byId
}

/**
 * Checks that the application has all these roles. @throws ValidationError naming the first ten
 * that it lacks
 */
export async function requireRoles(
  application: Application,
  roleIds: number[],
  trx: TransactionClientContract
) {
  const roles = await Role.query({ client: trx }).where('applicationId', application.id)
  const byId = new Map(roles.map((role) => [role.id, role]))
  requireKnown(roleIds, byId, (index) => `roleIds.${index}`)
}

function requireKnown(
  ids: number[],
  known: Map<number, unknown>,
  fieldAt: (index: number) => string
) {
  const errors: { field: string; rule: string; message: string }[] = []
  for (const [index, id] of ids.entries()) {
    if (known.has(id)) continue
    const message = `The application has nothing with the id ${id}`
    errors.push({ field: fieldAt(index), rule: 'exists', message })
    if (errors.length === MAX_FAULTS) break
  }
  if (errors.length > 0) {
    throw new ValidationError({ detail: errors[0].message, details: { errors } })
  }
}
