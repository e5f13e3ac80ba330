import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'

/** See identity-provider.md#recipient-of-a-message. */
export async function readMailRecipient(email: string, message: ProviderMessage) {
  const { name: providerName, organisation } = message
  const user = await User.findBy({ email })
  const registered = organisation && (await RegistrationLocale.of(email, organisation))
  const isNamed = user && (user.displayName || user.firstName || user.lastName)
  const hasName = isNamed && user.identityVerified
  const ownName = (user ?? new User().merge({ email })).nameInMessages
  return {
    name: hasName ? ownName : (providerName ?? ownName),
    locale: user?.locale ?? registered ?? 'en',
  }
}
