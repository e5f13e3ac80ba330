import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { applyNames } from '#app/profiles/actions/apply_names'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'
import type { DatedNames } from '#app/profiles/values/names'

export interface KnownIdentity {
  email: string
}

/** Finds or creates a user record, without binding it (profiles.md#lazy-creation). */
export async function ensureUser(
  identity: KnownIdentity,
  names?: DatedNames,
  client: QueryClientContract = db.connection()
): Promise<User> {
  const user =
    (await User.findBy({ email: identity.email }, { client })) ??
    (await createUser(identity, client))
  if (names) await applyNames(user, names, client)
  return user
}

export async function createUser({ email }: KnownIdentity, client: QueryClientContract) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const locales = await RegistrationLocale.latestOf([email], client)
  await client
    .table('users')
    .insert({
      email,
      active: true,
      theme: 'system',
      locale: locales.get(email) ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict('email')
    .ignore()
  return User.findByOrFail({ email }, { client })
}
