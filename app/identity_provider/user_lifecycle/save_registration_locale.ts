import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { DEFAULT_LOCALE, matchLocale } from '#app/platform/values/choose_locale'
import Language from '#app/platform/models/language'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'
import identityProvider from '#config/identity_provider'

const KEPT_HOURS = 24

/** See identity-provider.md#registration-locale. */
export async function saveRegistrationLocale(input: {
  email: string
  orgId: string
  locale: string
}): Promise<RegistrationLocale> {
  const locale = await supportedLocale(input.locale)
  const { email, orgId: organisationId } = input
  return transaction(async (trx) => {
    await lockUntilCommit(trx, `registration_locale:${email}`)
    const now = DateTime.utc()
    await RegistrationLocale.query({ client: trx })
      .where('expiresAt', '<', toDatabaseTimestamp(now))
      .delete()
    await User.query({ client: trx }).where('email', email).update({ locale })
    const key = { email, organisationId }
    const row = await RegistrationLocale.firstOrNew(key, {}, { client: trx })
    return row.merge({ locale, expiresAt: now.plus({ hours: KEPT_HOURS }), updatedAt: now }).save()
  })
}

async function supportedLocale(wanted: string) {
  const code = identityProvider.notificationApplication
  const application = await Application.findBy({ code })
  const registered = await Language.query()
    .where('enabled', true)
    .whereIn('code', application?.supportedLanguages ?? [])
  const codes = registered.map((language) => language.code)
  return matchLocale(wanted, codes) ?? DEFAULT_LOCALE
}
