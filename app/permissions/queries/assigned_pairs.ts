import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { jsonRows } from '#core/database/json_rows'
import { toPlainRow } from '#core/database/plain_rows'
import { selectRows } from '#core/database/select_rows'
import UserRole from '#app/permissions/models/user_role'

/**
 * Reads the assignments of these roles to these users, also those out of their time windows. Reads
 * no others: each of the users can have all roles.
 */
export async function findAssigned(
  pairs: { email: string; roleId: number }[],
  trx: TransactionClientContract
) {
  const { source } = jsonRows({ email: 'text', role_id: 'integer' }, '?')
  const given = pairs.map(({ email, roleId }) => ({ email, role_id: roleId }))
  // SQLite keeps the order of a cross join.
  const rows = await selectRows<Record<string, unknown>>(
    trx,
    `select user_roles.* from ${source} cross join user_roles
     where user_roles.email = given.email and user_roles.role_id = given.role_id`,
    [JSON.stringify(given)]
  )
  return rows.map((row) => toPlainRow(UserRole, row))
}
