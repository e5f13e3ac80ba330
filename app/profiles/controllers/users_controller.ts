import type { HttpContext } from '@adonisjs/core/http'
import { totalIfRequested } from '#core/http/lists'
import { linkNext } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { describeUserInDetail, describeUsers } from '#app/profiles/actions/describe_users'
import { findApplicationsWithVisibleLogins } from '#app/profiles/actions/find_applications_with_visible_logins'
import { resolveScope } from '#app/profiles/queries/findable_users'
import { countUsers, searchUsers } from '#app/profiles/queries/search_users'
import { encodeUsersCursor, usersPageOf } from '#app/profiles/values/users_page'
import { listUsersValidator } from '#app/profiles/validators/user_validator'

/** See profiles.md#other-users. */
export default class UsersController {
  /**
   * List users. Addresses without a user record that hold a role, an override or an administration
   * are included, with `active: null`. Callers who do not manage all applications see logins and
   * such addresses only for the applications that the panel shows them, and can filter only by
   * those. `role` is the code of a role of the application in `appCode`.
   */
  async index(ctx: HttpContext) {
    const { active, ...query } = await listUsersValidator.validate(ctx.request.qs())
    const page = usersPageOf(query)
    const isActive = active === undefined ? undefined : ['true', '1'].includes(active)
    const { search, appCode, role } = query
    const { scope, found } = await inSearchTurn(ctx, async () => {
      if (appCode !== undefined) ctx.panelAccess.require('view', appCode)
      const visible = await findApplicationsWithVisibleLogins(ctx.panelAccess)
      const wanted = await resolveScope({ search, appCode, role, active: isActive, visible })
      const users = await readFresh(ctx, (client) => searchUsers(wanted, page, client))
      return { scope: wanted, found: users }
    })
    await totalIfRequested(ctx, query.count, (client) => countUsers(scope, client))
    const shown = found.slice(0, page.limit)
    if (found.length > page.limit) linkNext(ctx, encodeUsersCursor(shown.at(-1)!.position))
    return successEnvelope(await describeUsers(shown, ctx.panelAccess))
  }

  /**
   * Get a user. Includes the roles, administrations, preferences and logins of the applications
   * that the caller sees in the panel.
   */
  async show(ctx: HttpContext) {
    return successEnvelope(await describeUserInDetail(emailParam(ctx), ctx.panelAccess))
  }
}
