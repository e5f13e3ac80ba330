import type { HttpContext } from '@adonisjs/core/http'
import { successEnvelope } from '#core/values/envelopes'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { readGenericEvent } from '#app/identity_provider/validators/read_generic_event'
import { readProviderEvent } from '#app/identity_provider/validators/read_provider_event'

/** See identity-provider.md#lifecycle-webhook. */
export default class WebhookController {
  /**
   * Handle a lifecycle event. Returns `handled: false` for an unknown event type or an unknown
   * user. A signed request contains an event in the provider's own format.
   */
  async handle({ request, isSigned }: HttpContext) {
    const event = isSigned
      ? await readProviderEvent(request.body())
      : await readGenericEvent(request.body())
    return successEnvelope({ handled: event !== null && (await handleLifecycleEvent(event)) })
  }
}
