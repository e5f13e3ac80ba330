import type { HttpContext } from '@adonisjs/core/http'
import { loadProblems } from '#core/exceptions/load_problems'
import { problemKinds } from '#core/exceptions/problem'
import { NotFound } from '#core/exceptions/problems'
import { textParam } from '#core/http/path_params'
import { operationsAnswering } from '#core/openapi/written_description'
import { errorPage } from '#core/pages/error_page'
import { REFERENCE_PAGE, REFERENCE_POLICY, START_SCRIPT } from '#core/pages/reference_page'
import { scalarBundle } from '#core/pages/scalar_bundle'
import { PLAIN_POLICY, protectPage } from '#core/pages/send_page'

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/** The API reference for people (additive, decisions 1.7), and the pages behind a problem's `type` (decisions 1.2). */
export default class DocsController {
  /** Shows the API reference. */
  async show(ctx: HttpContext) {
    protectPage(ctx, REFERENCE_POLICY)
    ctx.response.header('content-type', HTML).send(REFERENCE_PAGE)
  }

  /** Starts the API reference in the browser. */
  async start(ctx: HttpContext) {
    ctx.response.header('content-type', SCRIPT).send(START_SCRIPT)
  }

  /** Reads the script that shows the API reference. */
  async script(ctx: HttpContext) {
    const bundle = await scalarBundle()
    ctx.response.header('cache-control', 'public, max-age=86400')
    ctx.response.header('content-type', SCRIPT).send(bundle)
  }

  /** Shows what a problem means, when it comes and what to do about it. */
  async error(ctx: HttpContext) {
    await loadProblems()
    const kind = problemKinds.get(textParam(ctx, 'code'))
    if (!kind) throw new NotFound()
    protectPage(ctx, PLAIN_POLICY)
    const content = errorPage(kind, await operationsAnswering(kind.code))
    ctx.response.header('content-type', HTML).send(content)
  }
}
