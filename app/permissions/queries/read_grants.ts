import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Role from '#app/permissions/models/role'
import type { AccessLevel } from '#app/permissions/values/access_level'

/** A permission that a role grants. */
export interface Grant {
  permission: { code: string }
  accessLevel: AccessLevel
  condition: string | null
}

interface GrantRow {
  code: string
  access_level: AccessLevel
  condition: string | null
}

/** What a role grants, in the order of `listRolePermissions`, but without models. */
export async function readGrants(role: Role, trx: TransactionClientContract): Promise<Grant[]> {
  const rows: GrantRow[] = await trx
    .from('role_permissions as grants')
    .join('permissions', 'permissions.id', 'grants.permission_id')
    .where('grants.role_id', role.id)
    .orderBy('grants.permission_id')
    .select('permissions.code', 'grants.access_level', 'grants.condition')
  return rows.map(({ code, access_level: accessLevel, condition }) => {
    return { permission: { code }, accessLevel, condition }
  })
}
