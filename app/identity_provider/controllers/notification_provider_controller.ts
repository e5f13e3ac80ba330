import type { HttpContext } from '@adonisjs/core/http'
import { readProviderStatus } from '#app/identity_provider/email_provider/read_provider_status'
import {
  activateProvider,
  setUpProvider,
} from '#app/identity_provider/email_provider/set_up_provider'
import { setUpProviderValidator } from '#app/identity_provider/validators/set_up_provider_validator'

/** See identity-provider.md#setup-of-system-mails. Its answers are bare, and never hold the signing key. */
export default class NotificationProviderController {
  /** Says how this service and the identity provider's e-mail provider stand, as far as is known here. */
  async show() {
    return readProviderStatus()
  }

  /**
   * Makes the identity provider post its e-mails to this service. Safe to repeat: it repairs what an earlier attempt left
   * behind. With `rotate` the signing key is changed, and the former one accepted for ten more minutes.
   */
  async setup({ request }: HttpContext) {
    return setUpProvider(await setUpProviderValidator.validate(request.body()))
  }

  /** Activates the e-mail provider that was set up, in place of any other. */
  async activate() {
    return activateProvider()
  }
}
