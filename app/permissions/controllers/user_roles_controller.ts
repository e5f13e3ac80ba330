import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { emailParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { listUserRoles } from '#app/permissions/actions/list_user_roles'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import type Role from '#app/permissions/models/role'
import { userRoleResource } from '#app/permissions/transformers/assignment_resources'
import { userRolesValidator } from '#app/permissions/validators/assignment_validator'

/** See permissions.md#role-assignments. */
export default class UserRolesController {
  /** List the roles of a user in an application. */
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const roles = await listUserRoles(email, application)
    return successEnvelope(tagged(ctx, userRoleResources(email, application.code)(roles)))
  }

  /** Replace the roles of a user in an application. */
  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const appCode = textParam(ctx, 'appCode')
    const { roleIds } = await userRolesValidator.validate(ctx.request.body())
    const toResources = userRoleResources(email, appCode)
    const roles = await replaceUserRoles(email, appCode, roleIds, ifMatch(ctx, toResources))
    return successEnvelope(tagged(ctx, toResources(roles)))
  }
}

const userRoleResources = (email: string, appCode: string) => (roles: Role[]) =>
  roles.map((role) => userRoleResource(email, appCode, role))
