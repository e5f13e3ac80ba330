import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { type Steering, steerBroadcast } from '#app/broadcasts/actions/steer_broadcast'
import { broadcastResource } from '#app/broadcasts/transformers/broadcast'

/** See broadcasts.md#steering. */
export default class BroadcastSteeringController {
  /** Holds a broadcast, within a second. */
  pause(ctx: HttpContext) {
    return this.#steer(ctx, 'pause')
  }

  /** Lets a paused broadcast go on. */
  resume(ctx: HttpContext) {
    return this.#steer(ctx, 'resume')
  }

  /** Ends a broadcast before it has reached everybody, within a second. */
  cancel(ctx: HttpContext) {
    return this.#steer(ctx, 'cancel')
  }

  async #steer(ctx: HttpContext, steering: Steering) {
    const id = idParam(ctx, 'id')
    return successEnvelope(
      broadcastResource(await steerBroadcast(textParam(ctx, 'appCode'), id, steering))
    )
  }
}
