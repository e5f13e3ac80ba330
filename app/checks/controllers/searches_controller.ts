import type { HttpContext } from '@adonisjs/core/http'
import { clientNetwork } from '#core/network/client_address'
import { dataEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { searchPermissions } from '#app/checks/actions/search_permissions'
import { searchResources } from '#app/checks/actions/search_resources'
import { searchSubjects } from '#app/checks/actions/search_subjects'
import { permissionPage, resourcePage, subjectPage } from '#app/checks/transformers/search_results'
import { SearchRequest } from '#app/checks/validators/search_request'

/** See checks.md#search. */
export default class SearchesController {
  /** List the users to whom a check is allowed. */
  async subjects(ctx: HttpContext) {
    const { search, page } = new SearchRequest(ctx.request.body()).subjects()
    return dataEnvelope(subjectPage(await searchSubjects(search, page, networkOf(ctx))))
  }

  /** List the resources on which a check of a user is allowed. */
  async resources(ctx: HttpContext) {
    const body = new SearchRequest(ctx.request.body())
    const { search, page } = body.resources(body.email())
    await Application.withCode(search.scope.app)
    return dataEnvelope(resourcePage(await searchResources(search, page, networkOf(ctx))))
  }

  /** List the permissions that a user holds. */
  async permissions({ request }: HttpContext) {
    const body = new SearchRequest(request.body())
    const check = body.permissions(body.email())
    await Application.withCode(check.scope.app)
    return dataEnvelope(permissionPage(await searchPermissions(check)))
  }
}

function networkOf({ clientAddress }: HttpContext) {
  return `network:${clientNetwork(clientAddress)}`
}
