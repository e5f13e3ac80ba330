import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { totalIfRequested } from '#core/http/lists'
import { linkNext } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { describeUserInDetail, describeUsers } from '#app/profiles/actions/describe_users'
import { listUsers } from '#app/profiles/actions/list_users'
import { findApplicationsWithVisibleLogins } from '#app/profiles/actions/find_applications_with_visible_logins'
import { countUsers } from '#app/profiles/queries/search_users'
import { encodePeopleCursor, peoplePageOf } from '#app/profiles/values/people_page'
import { listUsersValidator } from '#app/profiles/validators/user_validator'

/** See profiles.md#other-people. */
export default class UsersController {
  /**
   * List users. Addresses without a user record that hold a role, an override or an administration
   * are included, with `active: null`. Callers who do not manage all applications see logins and
   * such addresses only for the applications that the panel shows them, and can filter only by
   * those.
   */
  async index(ctx: HttpContext) {
    const { active, ...query } = await listUsersValidator.validate(ctx.request.qs())
    if (query.appCode !== undefined) ctx.panelAccess.require('view', query.appCode)
    const page = peoplePageOf(query)
    const isActive = active === undefined ? undefined : ['true', '1'].includes(active)
    const visible = await findApplicationsWithVisibleLogins(ctx.panelAccess)
    const filter = { search: query.search, appCode: query.appCode, active: isActive, visible }
    const found = await listUsers(callerKey(ctx), filter, page)
    await totalIfRequested(ctx, query.count, () => countUsers(filter))
    const shown = found.slice(0, page.limit)
    if (found.length > page.limit) linkNext(ctx, encodePeopleCursor(shown.at(-1)!.position))
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
