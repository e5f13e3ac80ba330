import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { responseEnvelope, successEnvelope } from '#core/values/envelopes'
import { readSubscriptions } from '#app/notifications/actions/read_subscriptions'
import { subscribeToPush } from '#app/notifications/actions/subscribe_to_push'
import { PushNotConfigured, SubscriptionNotFound } from '#app/notifications/exceptions'
import PushSubscription from '#app/notifications/models/push_subscription'
import { pushSubscriptionResource } from '#app/notifications/transformers/push_subscription_resource'
import {
  subscribeValidator,
  unsubscribeValidator,
} from '#app/notifications/validators/push_validator'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import webPushConfig from '#config/web_push'

/** See delivery.md#subscription-routes. */
export default class PushSubscriptionsController {
  /** Get the VAPID public key. A browser needs it to subscribe to Web Push. */
  async vapidKey() {
    if (!webPushConfig.vapid) throw new PushNotConfigured()
    return successEnvelope({ vapidPublicKey: webPushConfig.vapid.publicKey })
  }

  /** List the caller's push subscriptions. At most the 20 newest are returned. */
  async index({ caller }: HttpContext) {
    const user = await ensureCaller(caller)
    const newest = await readSubscriptions(user)
    return responseEnvelope(newest.reverse().map(pushSubscriptionResource))
  }

  /**
   * Subscribe a browser of the caller. Subscribing an endpoint again updates the subscription. A
   * user has at most 20 subscriptions, and a new one replaces the oldest. An endpoint moves to
   * another user only with the same keys. `vapidPublicKey` is the key with which the browser
   * subscribed; another one than the service has now is refused.
   */
  async store({ caller, request, response }: HttpContext) {
    const { subscription: given, ...rest } = await subscribeValidator.validate(request.body())
    const user = await ensureCaller(caller)
    const { subscription, created } = await subscribeToPush(user, caller.subject, {
      endpoint: given.endpoint,
      ...given.keys,
      ...rest,
    })
    return response
      .status(created ? 201 : 200)
      .send(responseEnvelope(pushSubscriptionResource(subscription)))
  }

  /** Unsubscribe a browser of the caller by its endpoint. */
  async unsubscribe({ caller, request }: HttpContext) {
    const { endpoint } = await unsubscribeValidator.validate(request.body())
    const user = await ensureCaller(caller)
    const subscription = await PushSubscription.ofUser(user)
      .where('endpointDigest', PushSubscription.digestOf(endpoint))
      .first()
    await subscription?.delete()
    return responseEnvelope({ removed: subscription !== null })
  }

  /** Delete a push subscription of the caller. */
  async destroy(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const user = await ensureCaller(ctx.caller)
    const subscription = await PushSubscription.ofUser(user).where('id', id).first()
    if (!subscription) throw new SubscriptionNotFound()
    await subscription.delete()
    return ctx.response.noContent()
  }
}
