import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import { listUserRoles } from '#app/permissions/actions/list_user_roles'
import type Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { requireExistingRoles } from '#app/permissions/queries/referenced_rows'

/** @throws ApplicationNotFound, ValidationError for an unknown role id */
export async function replaceUserRoles(
  email: string,
  appCode: string,
  roleIds: number[]
): Promise<Role[]> {
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockUntilCommit(trx, `user_roles:${application.id}:${email}`)
    const wanted = [...new Set(roleIds)]
    await requireExistingRoles(application, wanted, trx)
    await UserRole.query({ client: trx })
      .where('email', email)
      .whereIn('roleId', (roles) =>
        roles.from('roles').where('application_id', application.id).select('id')
      )
      .delete()
    await UserRole.createMany(
      wanted.map((roleId) => ({ email, roleId })),
      { client: trx }
    )
    return listUserRoles(email, application, trx)
  })
}
