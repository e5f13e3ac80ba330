import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { readSubscriptions } from '#app/notifications/actions/read_subscriptions'
import { removePushDevice } from '#app/notifications/actions/remove_push_device'
import { pushDeviceResource } from '#app/notifications/transformers/push_device_resource'
import User from '#app/profiles/models/user'

/** See delivery.md#push-devices-of-another-user. */
export default class UserPushSubscriptionsController {
  /** List a user's push devices. At most the 20 newest are returned, the newest first. */
  async index(ctx: HttpContext) {
    const user = await User.withEmail(emailParam(ctx))
    return successEnvelope((await readSubscriptions(user)).map(pushDeviceResource))
  }

  /** Remove a push device of a user. It gets no more push messages until it subscribes again. */
  async destroy(ctx: HttpContext) {
    await removePushDevice(emailParam(ctx), idParam(ctx, 'id'))
    return ctx.response.noContent()
  }
}
