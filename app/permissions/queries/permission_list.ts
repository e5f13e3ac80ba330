import db from '@adonisjs/lucid/services/db'
import type { HttpContext } from '@adonisjs/core/http'
import { type PlainRow, columnsOf, toPlainRow } from '#core/database/plain_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { type ListRequest, isComplete, readPlainList } from '#core/http/lists'
import Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'

const SHOWN = [
  ...(['id', 'code', 'name', 'description', 'type', 'groupName'] as const),
  ...(['parentPermissionId', 'global', 'createdAt'] as const),
] satisfies (keyof PlainRow<Permission>)[]

export type ShownPermission = Pick<PlainRow<Permission>, (typeof SHOWN)[number]>

interface Uses {
  /** Roles that grant the permission. */
  roleCount: number
  /** Overrides that name the permission, of all users on all resources. */
  overrideCount: number
}

export type ListedPermission = ShownPermission & Uses

/** The columns that a search covers. */
const TEXTS = ['code', 'name', 'description']

const usesIn = (table: string) =>
  `cast((select count(*) from ${table} where permission_id = permissions.id) as integer)`

const LISTED = `${columnsOf(Permission, SHOWN).join(', ')},
  ${usesIn('role_permissions')} as "roleCount",
  ${usesIn('resource_overrides')} as "overrideCount"`

const completeList = new PreparedQuery<Record<string, unknown> & Uses>(
  'permissions_of_application',
  `select ${LISTED} from permissions
   where application_id = (select id from applications where code = $1) order by id`
)

/** @throws ApplicationNotFound */
export async function listPermissions(
  ctx: HttpContext,
  appCode: string,
  request: ListRequest
): Promise<ListedPermission[]> {
  // It finds the application, too, which only the primary may.
  if (isComplete(request) && ctx.atLeast === undefined) {
    const rows = await completeList.all([appCode])
    if (rows.length > 0) return rows.map((row) => toPlainRow(Permission, row))
  }
  const { id } = await Application.withCode(appCode)
  const rows = await readPlainList(
    ctx,
    (client) => Permission.query({ client }).select(db.raw(LISTED)).where('applicationId', id),
    request,
    TEXTS
  )
  return rows as (PlainRow<Permission> & Uses)[]
}
