import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { listUserRoles, replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { roleResource } from '#app/permissions/transformers/role'
import { userRolesValidator } from '#app/permissions/validators/assignment_validator'

/** The roles a person has in an application (specification 4.4). */
export default class UserRolesController {
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const roles = await listUserRoles(email, application)
    return success(roles.map(roleResource))
  }

  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const { roleIds } = await userRolesValidator.validate(ctx.request.body())
    const roles = await replaceUserRoles(email, textParam(ctx, 'appCode'), roleIds)
    return success(roles.map(roleResource))
  }
}
