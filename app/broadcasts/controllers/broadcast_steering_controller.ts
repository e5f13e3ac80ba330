import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { cancelBroadcast } from '#app/broadcasts/actions/cancel_broadcast'
import { pauseBroadcast } from '#app/broadcasts/actions/pause_broadcast'
import { resumeBroadcast } from '#app/broadcasts/actions/resume_broadcast'
import type Broadcast from '#app/broadcasts/models/broadcast'
import { authorOf } from '#app/broadcasts/values/author_of'
import { broadcastResource } from '#app/broadcasts/transformers/broadcast_resource'

/** See broadcasts.md#pausing-resuming-and-cancelling. */
export default class BroadcastSteeringController {
  /** Pause a broadcast. Sending stops within a second; messages in progress still go out. */
  pause(ctx: HttpContext) {
    return this.#change(ctx, pauseBroadcast)
  }

  /** Resume a paused broadcast. Only global panel admins can resume one to all users. */
  resume(ctx: HttpContext) {
    return this.#change(ctx, (appCode, id) => resumeBroadcast(appCode, id, authorOf(ctx)))
  }

  /** Cancel a broadcast. Sending stops within a second and cannot be resumed. */
  cancel(ctx: HttpContext) {
    return this.#change(ctx, cancelBroadcast)
  }

  async #change(ctx: HttpContext, change: (appCode: string, id: number) => Promise<Broadcast>) {
    const id = idParam(ctx, 'id')
    return successEnvelope(broadcastResource(await change(textParam(ctx, 'appCode'), id)))
  }
}
