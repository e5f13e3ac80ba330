import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { previewBroadcast } from '#app/broadcasts/actions/preview_broadcast'
import { broadcastValidator } from '#app/broadcasts/validators/broadcast_validator'
import { authorOf } from '#app/broadcasts/values/author_of'

/** See broadcasts.md#preview. */
export default class BroadcastPreviewsController {
  /**
   * Preview a broadcast. Counts the audience by channel, and renders the message for three of its
   * recipients. Nothing is sent or stored.
   */
  async store(ctx: HttpContext) {
    const appCode = textParam(ctx, 'appCode')
    const request = await broadcastValidator.validate(ctx.request.body())
    return successEnvelope(
      await inSearchTurn(ctx, () => previewBroadcast(appCode, request, authorOf(ctx)))
    )
  }
}
