import type { HttpContext } from '@adonisjs/core/http'
import { successEnvelope } from '#core/values/envelopes'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { readGenericEvent } from '#app/identity_provider/validators/generic_event'
import { readProviderEvent } from '#app/identity_provider/validators/provider_event'

/** Lifecycle events of the identity provider, in either form (identity-provider.md#lifecycle-webhook). */
export default class WebhookController {
  /**
   * Takes a lifecycle event of a user. One that is of no known type, or about nobody known, is answered with
   * `handled: false`. A signed request holds an event in the provider's own form instead.
   */
  async handle({ request, isSigned }: HttpContext) {
    const event = isSigned
      ? await readProviderEvent(request.body())
      : await readGenericEvent(request.body())
    return successEnvelope({ handled: event !== null && (await handleLifecycleEvent(event)) })
  }
}
