import type { HttpContext } from '@adonisjs/core/http'
import { START_PAGE, serviceLinks } from '#core/pages/start_page'
import { successEnvelope } from '#core/values/envelopes'

/** See conventions.md#root. */
export default class RootController {
  /** Find out where things are. Browsers are redirected to a page. */
  async show({ request, response }: HttpContext) {
    response.vary('accept')
    if (START_PAGE !== null && request.accepts(['json', 'html']) === 'html') {
      return response.redirect().status(302).toPath(START_PAGE)
    }
    return successEnvelope({ links: serviceLinks() })
  }
}
