import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type PlainRow, columnsOf, plainRows } from '#core/database/plain_rows'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'

const GRANT = ['roleId', 'permissionId', 'accessLevel', 'condition'] as const

/** Everything that the roles of an application grant. */
export interface RolePermissionMatrix {
  roles: PlainRow<Role>[]
  permissions: PlainRow<Permission>[]
  grants: Pick<PlainRow<RolePermission>, (typeof GRANT)[number]>[]
}

export async function readMatrix(
  application: Application,
  client?: TransactionClientContract
): Promise<RolePermissionMatrix> {
  const applicationId = application.id
  return {
    roles: await plainRows(Role.query({ client }).where({ applicationId }).orderBy('id')),
    permissions: await plainRows(
      Permission.query({ client }).where({ applicationId }).orderBy('id')
    ),
    grants: await plainRows(
      grantsOf(application, client)
        .select(...columnsOf(RolePermission, GRANT))
        .orderBy(['roleId', 'permissionId'])
    ),
  }
}

export function grantsOf(application: Application, client?: TransactionClientContract) {
  return RolePermission.query({ client }).whereIn('roleId', (roles) =>
    roles.from('roles').where('application_id', application.id).select('id')
  )
}
