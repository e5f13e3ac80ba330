import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { databaseMoment, isActive } from '#core/database/active_rows'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
import type { Differences } from '#app/checks/previews/definitions'

interface Search {
  applicationId: number
  /** How many to find at most. */
  limit: number
  /** In milliseconds. */
  now: number
}

/** The addresses, in any order, of users whose roles, overrides or administration are concerned. */
export async function findAffectedUsers(
  { roleIds, permissionIds, concernsAdministrators }: Differences,
  { applicationId, limit, now }: Search,
  trx: TransactionClientContract
): Promise<string[]> {
  const moment = databaseMoment(now)
  const rows = await selectRows<{ email: string }>(
    trx,
    `select ur.email from user_roles ur
     where ${isOneOf('ur.role_id')} and ${isActive('ur', '?')}
     union select o.email from resource_overrides o
     where ${isOneOf('o.permission_id')} and ${isActive('o', '?')}
     union select m.email from application_admins m
     where m.application_id = ? and ${isActive('m', '?')}
     limit ?`,
    [
      listValue(roleIds),
      moment,
      moment,
      listValue(permissionIds),
      moment,
      moment,
      concernsAdministrators ? applicationId : null,
      moment,
      moment,
      limit,
    ]
  )
  return rows.map(({ email }) => email)
}
