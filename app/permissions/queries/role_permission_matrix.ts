import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'

/** Everything that the roles of an application grant. */
export interface RolePermissionMatrix {
  roles: Role[]
  permissions: Permission[]
  grants: RolePermission[]
}

export async function readMatrix(
  application: Application,
  client?: TransactionClientContract
): Promise<RolePermissionMatrix> {
  const applicationId = application.id
  return {
    roles: await Role.query({ client }).where({ applicationId }).orderBy('id'),
    permissions: await Permission.query({ client }).where({ applicationId }).orderBy('id'),
    grants: await grantsOf(application, client).orderBy(['roleId', 'permissionId']),
  }
}

export function grantsOf(application: Application, client?: TransactionClientContract) {
  return RolePermission.query({ client }).whereIn('roleId', (roles) =>
    roles.from('roles').where('application_id', application.id).select('id')
  )
}
