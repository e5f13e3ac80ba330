import type { HttpContext } from '@adonisjs/core/http'
import { preferredCoding } from '#core/http/content_coding'
import { NotFound } from '#core/exceptions/problems'
import { type PanelFile, PREVIEW, SHELL, isAsset, panelFiles } from '#app/panel/files/panel_files'
import { PANEL_POLICY, protectPanel, protectPreview } from '#app/panel/pages/protect_panel'

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** See panel.md#pages. */
export default class PagesController {
  /**
   * Show the admin panel.
   *
   * @produces text/html
   * @revalidated
   */
  async start(ctx: HttpContext) {
    protectPanel(ctx, PANEL_POLICY)
    await sendShell(ctx)
  }

  /**
   * Show a page or send a file of the admin panel. Paths of its files return them; all others
   * return its page, which shows the screen for the path.
   *
   * @produces text/html
   * @produces text/javascript
   * @produces text/css
   * @produces image/svg+xml
   * @produces font/woff2
   * @revalidated
   */
  async show(ctx: HttpContext) {
    const name = [ctx.params['*'] ?? []].flat().join('/')
    if (name === PREVIEW) protectPreview(ctx)
    else protectPanel(ctx, PANEL_POLICY)
    const file = (await panelFiles()).get(name)
    if (file) return sendFile(ctx, file)
    if (isAsset(name)) throw new NotFound()
    return sendShell(ctx)
  }
}

async function sendShell(ctx: HttpContext) {
  const files = await panelFiles()
  sendFile(ctx, files.get(SHELL)!)
}

function sendFile({ request, response }: HttpContext, file: PanelFile) {
  const { contentType, etag, isHashed, bodies } = file
  const wanted = preferredCoding(request.header('accept-encoding'))
  const coding = bodies[wanted] ? wanted : 'identity'
  response
    .header('content-type', contentType)
    .header('cache-control', isHashed ? IMMUTABLE : 'no-store')
    .header('etag', `"${etag}-${coding}"`)
    .header('vary', 'Accept-Encoding')
  if (response.fresh()) return response.status(304).send(null)
  if (coding !== 'identity') response.header('content-encoding', coding)
  return response.send(bodies[coding])
}
