import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paged } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import User from '#app/profiles/models/user'
import { listUsers } from '#app/profiles/actions/list_users'
import { userResource } from '#app/profiles/transformers/user'
import { listUsersValidator } from '#app/profiles/validators/user_validator'

/** User records for administrators (decisions 3.1, 3.8). */
export default class UsersController {
  /**
   * Searches the user records. Callers who do not manage all applications see logins into the
   * applications that the panel shows them, and can filter by those only.
   */
  async index(ctx: HttpContext) {
    const { active, ...query } = await listUsersValidator.validate(ctx.request.qs())
    if (query.appCode !== undefined) ctx.standing.require('view', query.appCode)
    const page = pageOf(query)
    const isActive = active === undefined ? undefined : ['true', '1'].includes(active)
    const filter = { ...query, active: isActive }
    const users = await listUsers(ctx.caller.email, filter, page)
    return success(paged(ctx, users, page).map((user) => userResource(user, ctx.standing)))
  }

  /** Reads a user record, with logins into the applications that the caller sees in the panel. */
  async show(ctx: HttpContext) {
    const user = await User.withEmail(emailParam(ctx))
    await user.load('preferences', (own) => own.preload('application').orderBy('id'))
    return success(userResource(user, ctx.standing))
  }
}
