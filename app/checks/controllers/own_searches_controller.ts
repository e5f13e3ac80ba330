import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { inRightsTurn } from '#core/http/rights_turn'
import { searchOwnPermissions } from '#app/checks/actions/search_permissions'
import { searchResources } from '#app/checks/actions/search_resources'
import { permissionPage, resourcePage } from '#app/checks/transformers/search_results'
import { SearchRequest } from '#app/checks/validators/search_request'

/** See checks.md#own-searches. */
export default class OwnSearchesController {
  /**
   * List the resources on which a check of the caller is allowed. If the caller has no access to
   * the application, the response is the same as for an application that does not exist.
   */
  async resources(ctx: HttpContext) {
    const body = new SearchRequest(ctx.request.body(), { isOwn: true })
    const { search, page } = body.resources(ctx.caller.email)
    const caller = callerKey(ctx)
    return resourcePage(await inRightsTurn(ctx, () => searchResources(search, page, caller)))
  }

  /** List the permissions that the caller holds. */
  async permissions(ctx: HttpContext) {
    const body = new SearchRequest(ctx.request.body(), { isOwn: true })
    const search = body.permissions(ctx.caller.email)
    return permissionPage(await inRightsTurn(ctx, () => searchOwnPermissions(search)))
  }
}
