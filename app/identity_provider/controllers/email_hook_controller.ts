import type { HttpContext } from '@adonisjs/core/http'
import { Deadline } from '#core/values/deadline'
import { successEnvelope } from '#core/values/envelopes'
import { handleProviderMail } from '#app/identity_provider/mail_hook/handle_provider_mail'
import { parseProviderMessage } from '#app/identity_provider/mail_hook/provider_message'
import { providerMessageValidator } from '#app/identity_provider/validators/provider_message_validator'
import identityProvider from '#config/identity_provider'

/** See identity-provider.md#e-mail-hook. */
export default class EmailHookController {
  /**
   * Deliver a system mail. `200` reports the outcome; `202` means that the mail is stored and
   * delivery is retried for 15 minutes. A request with the same body is a duplicate and sends
   * nothing.
   */
  async store({ request, response, rawBody }: HttpContext) {
    const deadline = new Deadline(identityProvider.mails.respondWithinMs)
    const payload = await providerMessageValidator.validate(request.body())
    const message = parseProviderMessage(payload, request.body().args ?? {})
    const received = await handleProviderMail(message, rawBody, deadline)
    return response.status(received.status === 'queued' ? 202 : 200).send(successEnvelope(received))
  }
}
