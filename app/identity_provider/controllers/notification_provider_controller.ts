import type { HttpContext } from '@adonisjs/core/http'
import { readProviderStatus } from '#app/identity_provider/email_provider/read_provider_status'
import {
  activateProvider,
  setUpProvider,
} from '#app/identity_provider/email_provider/set_up_provider'
import { setUpProviderValidator } from '#app/identity_provider/validators/set_up_provider_validator'

/** See identity-provider.md#setup-of-system-mails. */
export default class NotificationProviderController {
  /**
   * Get the status of the e-mail provider. Reports what this service knows, without calling the
   * identity provider.
   */
  async show() {
    return readProviderStatus()
  }

  /**
   * Set up the e-mail provider. Makes the identity provider post its mails to this service. Safe
   * to repeat: it completes an earlier attempt that was interrupted. With `rotate`, the signing key
   * is replaced and the previous key stays valid for ten minutes.
   */
  async setup({ request }: HttpContext) {
    return setUpProvider(await setUpProviderValidator.validate(request.body()))
  }

  /**
   * Activate the e-mail provider. Activates the provider that was set up, in place of any other.
   */
  async activate() {
    return activateProvider()
  }
}
