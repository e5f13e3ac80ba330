import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'

let written: Promise<string> | undefined

/** How the API describes itself (additive, decisions 1.7). */
export default class OpenapiController {
  /**
   * Reads this description, as OpenAPI 3.1.
   *
   * @produces application/json
   */
  async show({ response }: HttpContext) {
    written ??= readFile(app.makePath('docs/reference/openapi.json'), 'utf8')
    response.header('content-type', 'application/json; charset=utf-8').send(await written)
  }
}
