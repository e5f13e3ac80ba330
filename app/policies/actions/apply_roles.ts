import { plainRows } from '#core/database/plain_rows'
import { createRole } from '#app/permissions/actions/create_role'
import { deleteRole } from '#app/permissions/actions/delete_role'
import { saveRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import { updateRole } from '#app/permissions/actions/update_role'
import Role from '#app/permissions/models/role'
import type { Applying } from '#app/policies/actions/applying'
import { permissionIds } from '#app/policies/actions/apply_permissions'
import { eachChange } from '#app/policies/actions/each_change'

export async function applyRoles(applying: Applying) {
  const { code: appCode } = applying.application
  const ids = await roleIds(applying)
  const permissions = await permissionIds(applying)
  const wanted = new Map((applying.wanted.roles ?? []).map((role) => [role.code, role]))
  const grantsOf = (code: string) =>
    wanted.get(code)!.permissions.map(({ permission, ...grant }) => {
      return { ...grant, permissionId: permissions.get(permission)! }
    })
  await eachChange(applying, 'role', ['remove'], ([code]) => deleteRole(appCode, ids.get(code)!))
  await eachChange(applying, 'role', ['add'], async ([code]) => {
    const { name, description } = wanted.get(code)!
    const { id } = await createRole(appCode, { code, name, description })
    const grants = grantsOf(code)
    if (grants.length > 0) await saveRolePermissions(appCode, id, grants)
  })
  await eachChange(applying, 'role', ['change'], async ([code], { after }) => {
    const { permissions: granted, ...texts } = after!
    if (Object.keys(texts).length > 0) await updateRole(appCode, ids.get(code)!, texts)
    if (granted) await saveRolePermissions(appCode, ids.get(code)!, grantsOf(code))
  })
}

/** By code, also of what the transaction has created. */
export async function roleIds({ application, trx }: Applying): Promise<Map<string, number>> {
  const roles = await plainRows(
    Role.query({ client: trx }).where('applicationId', application.id).select('id', 'code')
  )
  return new Map(roles.map(({ id, code }) => [code, id]))
}
