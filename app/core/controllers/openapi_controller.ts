import type { HttpContext } from '@adonisjs/core/http'
import { writtenDescription } from '#core/openapi/written_description'

/** How the API describes itself (additive, decisions 1.7). */
export default class OpenapiController {
  /**
   * Reads this description, as OpenAPI 3.1.
   *
   * @produces application/json
   */
  async show({ response }: HttpContext) {
    const text = await writtenDescription()
    response.header('content-type', 'application/json; charset=utf-8').send(text)
  }
}
