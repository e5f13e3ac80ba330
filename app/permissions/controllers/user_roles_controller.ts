import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { emailParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { type ShownUserRole, listUserRoles } from '#app/permissions/actions/list_user_roles'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { userRoleResource } from '#app/permissions/transformers/assignment_resources'
import { readUserRoles } from '#app/permissions/validators/user_roles_validator'

/** See permissions.md#role-assignments. */
export default class UserRolesController {
  /**
   * List the roles of a user in an application. Assignments that are scheduled or have ended are
   * listed too.
   */
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const roles = await readFresh(ctx, (client) => listUserRoles(email, application, client))
    return successEnvelope(tagged(ctx, userRoleResources(application.code)(roles)))
  }

  /**
   * Replace the roles of a user in an application. Give either `roleIds`, for assignments without a
   * time window, or `roles`.
   */
  async update(ctx: HttpContext) {
    const email = emailParam(ctx)
    const appCode = textParam(ctx, 'appCode')
    const { grants, fieldAt } = await readUserRoles(ctx.request.body())
    const toResources = userRoleResources(appCode)
    const requireFresh = ifMatch(ctx, toResources)
    const roles = await inChangeBudgetIfLarge(changerOf(ctx), grants.length, () =>
      replaceUserRoles(email, appCode, grants, { requireFresh, fieldAt })
    )
    return successEnvelope(tagged(ctx, toResources(roles)))
  }
}

const userRoleResources = (appCode: string) => (assignments: ShownUserRole[]) =>
  assignments.map((assignment) => userRoleResource(appCode, assignment))
