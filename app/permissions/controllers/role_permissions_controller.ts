import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { listRolePermissions } from '#app/permissions/actions/list_role_permissions'
import { replaceRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import Role from '#app/permissions/models/role'
import { rolePermissionResource } from '#app/permissions/transformers/role_resource'
import { rolePermissionsValidator } from '#app/permissions/validators/role_validator'

/** See permissions.md#role-permissions. */
export default class RolePermissionsController {
  /** List the permissions of a role. */
  async index(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const grants = await listRolePermissions(await Role.of(application.id, id))
    return successEnvelope(grants.map(rolePermissionResource))
  }

  /** Replace the permissions of a role. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const { permissions } = await rolePermissionsValidator.validate(ctx.request.body())
    const grants = await replaceRolePermissions(textParam(ctx, 'appCode'), id, permissions)
    return successEnvelope(grants.map(rolePermissionResource))
  }
}
