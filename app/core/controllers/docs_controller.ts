import type { HttpContext } from '@adonisjs/core/http'
import { loadProblems } from '#core/exceptions/load_problems'
import { problemKinds } from '#core/exceptions/problem'
import { NotFound } from '#core/exceptions/problems'
import { textParam } from '#core/http/path_params'
import { StaticContent } from '#core/http/static_content'
import { operationsReturning } from '#core/pages/api_description'
import { errorPage } from '#core/pages/error_page'
import { REFERENCE_PAGE, REFERENCE_POLICY, START_SCRIPT } from '#core/pages/reference_page'
import { DOCS_CACHED, DOCS_REVALIDATED } from '#core/pages/cache_control'
import { readScalarScript } from '#core/pages/scalar_script'
import { PLAIN_POLICY, protectPage } from '#core/pages/protect_page'

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

const bundle = new StaticContent(readScalarScript)

/** The API reference and the pages that a problem's `type` links to. */
export default class DocsController {
  /** Show the API reference */
  async show(ctx: HttpContext) {
    protectPage(ctx, REFERENCE_POLICY)
    ctx.response.header('cache-control', DOCS_REVALIDATED)
    ctx.response.header('content-type', HTML).send(REFERENCE_PAGE)
  }

  /** Get the script that starts the API reference */
  async start(ctx: HttpContext) {
    ctx.response.header('cache-control', DOCS_REVALIDATED)
    ctx.response.header('content-type', SCRIPT).send(START_SCRIPT)
  }

  /**
   * Get the script of the API reference
   *
   * @produces text/javascript
   * @revalidated
   */
  async script(ctx: HttpContext) {
    await bundle.send(ctx, SCRIPT, DOCS_CACHED)
  }

  /** Show the page of a problem code. It explains the problem and its causes. */
  async error(ctx: HttpContext) {
    await loadProblems()
    const kind = problemKinds.get(textParam(ctx, 'code'))
    if (!kind) throw new NotFound()
    protectPage(ctx, PLAIN_POLICY)
    ctx.response.header('cache-control', DOCS_REVALIDATED)
    const content = errorPage(kind, await operationsReturning(kind.code))
    ctx.response.header('content-type', HTML).send(content)
  }
}
