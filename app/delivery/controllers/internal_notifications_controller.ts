import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { cancelNotification } from '#app/delivery/actions/cancel_notification'
import { type LogScope, withinAccess } from '#app/delivery/actions/find_log_entry'
import { runOncePerKey } from '#app/delivery/actions/run_once_per_key'
import { readKeyedRequest, scopeOfSend } from '#app/delivery/actions/read_keyed_request'
import { allRefused, sendMany } from '#app/delivery/actions/send_many'
import { sendOne } from '#app/delivery/actions/send_one'
import { storeResponse } from '#app/delivery/actions/store_response'
import { notificationValidator, readBulk } from '#app/delivery/validators/notification_validator'
import type { KeyClaim } from '#app/delivery/values/key_claim'

export default class InternalNotificationsController {
  /**
   * Send a notification to one recipient. With `retryHours`, a send that fails temporarily returns
   * `failed` with `retryUntil` and is retried until then. With `sendAt`, it is `scheduled`, and
   * rendered and sent at that time.
   */
  async store(ctx: HttpContext) {
    const keyed = await readKeyedRequest(ctx, () => scopeOfSend(ctx))
    const send = async (key?: KeyClaim) =>
      sendOne(await notificationValidator.validate(ctx.request.body()), ctx.internalCaller, key)
    return successEnvelope(
      keyed ? await runOncePerKey(keyed, send, { store: storeResponse }) : await send()
    )
  }

  /**
   * Cancel a notification that is still `scheduled`. It is then `skipped`, with the reason
   * `CANCELLED`, and stays in the inbox if it is there. An application key cancels only what its
   * application has sent.
   */
  async destroy(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const cancel = (scope: LogScope) => cancelNotification(id, scope)
    return successEnvelope(await withinAccess(ctx.internalCaller, cancel))
  }

  /** Send up to 100 notifications. Each one succeeds or fails on its own. */
  async bulk(ctx: HttpContext) {
    const keyed = await readKeyedRequest(ctx, () => scopeOfSend(ctx))
    const items = readBulk(ctx.request.body())
    const options = { store: storeResponse, isRefused: allRefused }
    const send = () =>
      sendMany(items, (item) => notificationValidator.validate(item), ctx.internalCaller)
    return successEnvelope(keyed ? await runOncePerKey(keyed, send, options) : await send())
  }
}
