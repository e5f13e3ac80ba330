import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'
import { StaticContent } from '#core/http/static_content'
import { projectPath } from '#core/process/root'

const FILE = join(projectPath(), 'packages/inbox/dist/concierge-inbox.js')
const CACHED = app.inProduction ? 'public, max-age=86400' : 'public, no-cache'

const script = new StaticContent(() => readFile(FILE, 'utf8'))

/** See inbox.md#component. */
export default class ComponentController {
  /**
   * Get the script of the inbox component. Pages of all origins can load it.
   *
   * @produces text/javascript
   * @revalidated
   */
  async script(ctx: HttpContext) {
    ctx.response.header('cross-origin-resource-policy', 'cross-origin')
    await script.send(ctx, 'text/javascript; charset=utf-8', CACHED)
  }
}
