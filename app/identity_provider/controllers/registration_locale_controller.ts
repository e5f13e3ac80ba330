import type { HttpContext } from '@adonisjs/core/http'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { successEnvelope } from '#core/values/envelopes'
import { saveRegistrationLocale } from '#app/identity_provider/user_lifecycle/save_registration_locale'
import { registrationLocaleValidator } from '#app/identity_provider/validators/registration_locale_validator'

/** See identity-provider.md#storing-a-registration-locale. */
export default class RegistrationLocaleController {
  /**
   * Store a registration locale. Keeps the language of a registration for a day, for mails to a
   * user without a profile. An unsupported locale is stored as `en`.
   */
  async update({ request }: HttpContext) {
    const fields = await registrationLocaleValidator.validate(request.body())
    const { email, organisationId, locale, expiresAt } = await saveRegistrationLocale(fields)
    return successEnvelope({
      email,
      orgId: organisationId,
      locale,
      expiresAt: isoTimestamp(expiresAt),
    })
  }
}
