import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paged } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import User from '#app/profiles/models/user'
import { listUsers } from '#app/profiles/actions/list_users'
import { userResource } from '#app/profiles/transformers/user_resource'
import { listUsersValidator } from '#app/profiles/validators/user_validator'

/** See profiles.md#other-people. */
export default class UsersController {
  /**
   * List users. Callers who do not manage all applications see logins only for the applications
   * that the panel shows them, and can filter only by those.
   */
  async index(ctx: HttpContext) {
    const { active, ...query } = await listUsersValidator.validate(ctx.request.qs())
    if (query.appCode !== undefined) ctx.panelAccess.require('view', query.appCode)
    const page = pageOf(query)
    const isActive = active === undefined ? undefined : ['true', '1'].includes(active)
    const filter = { ...query, active: isActive }
    const users = await listUsers(ctx.caller.email, filter, page)
    return successEnvelope(
      paged(ctx, users, page).map((user) => userResource(user, ctx.panelAccess))
    )
  }

  /** Get a user. Includes logins to the applications that the caller sees in the panel. */
  async show(ctx: HttpContext) {
    const user = await User.withEmail(emailParam(ctx))
    await user.load('preferences', (own) => own.preload('application').orderBy('id'))
    return successEnvelope(userResource(user, ctx.panelAccess))
  }
}
