import type { HttpContext } from '@adonisjs/core/http'
import { changerOf } from '#core/http/caller_name'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { applyEach } from '#app/permissions/changes/apply_each'
import { previewFlips } from '#app/checks/actions/preview_flips'
import { flipPage } from '#app/checks/transformers/flip_page'
import { readPreview } from '#app/checks/validators/preview_request'

/** See previews.md#preview-route. */
export default class PreviewsController {
  /**
   * Preview access changes. The response lists every decision that the changes would flip, and
   * nothing is changed. Each change has an `op` and the fields of the endpoint that makes it; the
   * changes are tried out together, one after another.
   */
  async store(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const body = ctx.request.body()
    const { changes, page } = await readPreview(body)
    const options = { page, asked: body.changes, changer: changerOf(ctx) }
    return successEnvelope(
      flipPage(await previewFlips(appCode, applyEach(appCode, changes), options))
    )
  }
}
