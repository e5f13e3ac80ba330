import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { listRolePermissions } from '#app/permissions/actions/list_role_permissions'
import { replaceRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import Role from '#app/permissions/models/role'
import type RolePermission from '#app/permissions/models/role_permission'
import { rolePermissionResource } from '#app/permissions/transformers/role_resource'
import { rolePermissionsValidator } from '#app/permissions/validators/role_validator'

/** See permissions.md#role-permissions. */
export default class RolePermissionsController {
  /** List the permissions of a role. */
  async index(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const role = await Role.of(application, id)
    const grants = await readFresh(ctx, (client) => listRolePermissions(role, client))
    return successEnvelope(tagged(ctx, toResources(grants)))
  }

  /** Replace the permissions of a role. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'roleId')
    const { permissions } = await rolePermissionsValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, toResources)
    const appCode = textParam(ctx, 'appCode')
    const grants = await inChangeBudgetIfLarge(changerOf(ctx), permissions.length, () =>
      replaceRolePermissions(appCode, id, permissions, fresh)
    )
    return successEnvelope(tagged(ctx, toResources(grants)))
  }
}

const toResources = (grants: RolePermission[]) => grants.map(rolePermissionResource)
