import type { HttpContext } from '@adonisjs/core/http'
import { Deadline } from '#core/values/deadline'
import { successEnvelope } from '#core/values/envelopes'
import { receiveProviderMail } from '#app/identity_provider/mail_hook/receive_provider_mail'
import { providerMessage } from '#app/identity_provider/mail_hook/provider_message'
import { providerMessageValidator } from '#app/identity_provider/validators/provider_message_validator'
import identityProvider from '#config/identity_provider'

/** The provider's system e-mails (identity-provider.md#e-mail-hook). */
export default class EmailHookController {
  /**
   * Delivers a system e-mail of the identity provider. 200 says what became of it, 202 that it is stored and will be
   * tried again for 15 minutes; the same body again is a duplicate and sends nothing.
   */
  async store({ request, response, rawBody }: HttpContext) {
    const deadline = new Deadline(identityProvider.mails.answerWithinMs)
    const payload = await providerMessageValidator.validate(request.body())
    const message = providerMessage(payload, request.body().args ?? {})
    const received = await receiveProviderMail(message, rawBody, deadline)
    return response.status(received.status === 'queued' ? 202 : 200).send(successEnvelope(received))
  }
}
