import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { listUserRoles } from '#app/permissions/actions/list_user_roles'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { userRoleResource } from '#app/permissions/transformers/assignment_resources'
import { userRolesValidator } from '#app/permissions/validators/assignment_validator'

/** See permissions.md#role-assignments. */
export default class UserRolesController {
  /** List the roles of a person in an application. */
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const roles = await listUserRoles(email, application)
    return successEnvelope(roles.map((role) => userRoleResource(email, application.code, role)))
  }

  /** Replace the roles of a person in an application. */
  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const appCode = textParam(ctx, 'appCode')
    const { roleIds } = await userRolesValidator.validate(ctx.request.body())
    const roles = await replaceUserRoles(email, appCode, roleIds)
    return successEnvelope(roles.map((role) => userRoleResource(email, appCode, role)))
  }
}
