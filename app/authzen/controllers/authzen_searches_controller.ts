import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { findActions } from '#app/authzen/actions/find_actions'
import { findResources } from '#app/authzen/actions/find_resources'
import { findSubjects } from '#app/authzen/actions/find_subjects'
import { readSearchPage } from '#app/authzen/actions/read_search_page'
import { actionSearch, resourceSearch, subjectSearch } from '#app/authzen/validators/search_request'

/** See authzen.md#searches. */
export default class AuthzenSearchesController {
  /** List the subjects that may perform an action on a resource. */
  async subject(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const { search, page } = subjectSearch(ctx.request.body())
    return readSearchPage(['subject', appCode, search], page, (part) =>
      findSubjects(appCode, search, part)
    )
  }

  /** List the resources of a type on which a subject may perform an action. */
  async resource(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const { search, page } = resourceSearch(ctx.request.body())
    return readSearchPage(['resource', appCode, search], page, (part) =>
      findResources(appCode, search, part)
    )
  }

  /** List the actions that a subject may perform on a resource. */
  async action(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const { search, page } = actionSearch(ctx.request.body())
    return readSearchPage(['action', appCode, search], page, (part) =>
      findActions(appCode, search, part)
    )
  }
}
