import type { HttpContext } from '@adonisjs/core/http'
import { START_PAGE, serviceLinks } from '#core/pages/start_page'
import { successEnvelope } from '#core/values/envelopes'

/** See conventions.md#root. */
export default class RootController {
  /** Get the addresses of this service. Browsers are redirected to the admin panel. */
  async show({ request, response }: HttpContext) {
    response.vary('accept')
    if (request.accepts(['json', 'html']) === 'html') {
      return response.redirect().status(302).toPath(START_PAGE)
    }
    return successEnvelope({ links: serviceLinks() })
  }
}
