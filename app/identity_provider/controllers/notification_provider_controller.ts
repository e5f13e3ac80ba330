import type { HttpContext } from '@adonisjs/core/http'
import { previewProviderSetup } from '#app/identity_provider/email_provider/preview_provider_setup'
import { readProviderStatus } from '#app/identity_provider/email_provider/read_provider_status'
import { requestTestMail } from '#app/identity_provider/email_provider/request_test_mail'
import {
  activateProvider,
  setUpProvider,
} from '#app/identity_provider/email_provider/set_up_provider'
import {
  previewSetupValidator,
  setUpProviderValidator,
} from '#app/identity_provider/validators/set_up_provider_validator'

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
   * Preview the setup of the e-mail provider. Lists what a setup would change at the identity
   * provider, and the permissions that the service account has there. Changes nothing. There are no
   * steps if everything is set up, or without the permission `iam.read`.
   */
  async preview({ request }: HttpContext) {
    const { rotate = false } = await previewSetupValidator.validate(request.qs())
    return previewProviderSetup({ rotate })
  }

  /**
   * Send a test mail through the identity provider. Asks the identity provider for a password reset
   * mail to the caller's own account, which it sends through this service. The password stays as it
   * is unless the caller uses the link. The message log shows whether the mail arrived here.
   */
  async test({ caller }: HttpContext) {
    return requestTestMail(caller)
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
