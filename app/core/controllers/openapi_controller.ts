import type { HttpContext } from '@adonisjs/core/http'
import { StaticContent } from '#core/http/static_content'
import { readApiDescription } from '#core/pages/api_description'
import { DOCS_REVALIDATED } from '#core/pages/cache_control'

const description = new StaticContent(readApiDescription)

export default class OpenapiController {
  /**
   * Get the OpenAPI description
   *
   * @produces application/json
   * @revalidated
   */
  async show(ctx: HttpContext) {
    await description.send(ctx, 'application/json; charset=utf-8', DOCS_REVALIDATED)
  }
}
