import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from '#core/database/select_rows'
import { RANK } from '#app/checks/queries/facts_queries'
import type { DefinedPermission, Definitions, RoleGrant } from '#app/checks/previews/definitions'

interface GrantRow {
  role_id: number
  permission_id: number
  rank: number
  condition: string | null
}

/** Reads what an application defines, as a transaction sees it. */
export async function readDefinitions(
  applicationId: number,
  trx: TransactionClientContract
): Promise<Definitions> {
  const defined = await selectRows<DefinedPermission>(
    trx,
    'select id, code, type, global from permissions where application_id = ?',
    [applicationId]
  )
  const rows = await selectRows<GrantRow>(
    trx,
    `select rp.role_id, rp.permission_id, ${RANK} as rank, rp.condition
     from roles r join role_permissions rp on rp.role_id = r.id
     where r.application_id = ?`,
    [applicationId]
  )
  const grants = new Map<number, RoleGrant[]>()
  for (const { role_id: roleId, permission_id: permissionId, rank, condition } of rows) {
    const grant = { permissionId, rank, condition }
    const ofRole = grants.get(roleId)
    if (ofRole) ofRole.push(grant)
    else grants.set(roleId, [grant])
  }
  const permissions = defined.map((each) => ({ ...each, global: Boolean(each.global) }))
  return {
    permissions: new Map(permissions.map((permission) => [permission.id, permission])),
    byCode: new Map(permissions.map((permission) => [permission.code, permission])),
    grants,
  }
}
