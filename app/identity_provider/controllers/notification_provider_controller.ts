import type { HttpContext } from '@adonisjs/core/http'
import { readProviderStatus } from '#app/identity_provider/actions/read_provider_status'
import { activateProvider, setUpProvider } from '#app/identity_provider/actions/set_up_provider'
import { setUpProviderValidator } from '#app/identity_provider/validators/set_up_provider_validator'

/** Specification 4.7, decisions 5.4. Its answers are bare, and never hold the signing key. */
export default class NotificationProviderController {
  async show() {
    return readProviderStatus()
  }

  async setup({ request }: HttpContext) {
    return setUpProvider(await setUpProviderValidator.validate(request.body()))
  }

  async activate() {
    return activateProvider()
  }
}
