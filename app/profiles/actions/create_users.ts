import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'

const ATTEMPTS = 5

/**
 * Creates the user records that are missing, unbound (profiles.md#lazy-creation). Erased users
 * return with the active flag that they had.
 *
 * @returns the records by address
 */
export async function createUsers(
  emails: string[],
  client: QueryClientContract = db.connection()
): Promise<Map<string, User>> {
  const created = new Map<string, User>()
  for (let attempt = 1; ; attempt++) {
    // A user may be erased before the record is read.
    const missing = emails.filter((email) => !created.has(email))
    if (missing.length === 0) return created
    if (attempt > ATTEMPTS) throw new Error('New user records were deleted at once')
    await insertUsers(missing, client)
    const users = await User.query({ client }).whereIn('email', missing)
    for (const user of users) created.set(user.email, user)
  }
}

async function insertUsers(emails: string[], client: QueryClientContract) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const rows = (await newUsers(emails, client)).map((user) => ({
    email: user.email,
    active: user.active,
    awaits_reactivation: user.awaitsReactivation,
    status_event_at: user.statusEventAt,
    theme: user.theme,
    locale: user.locale,
    created_at: now,
    updated_at: now,
  }))
  await client.table('users').multiInsert(rows).onConflict('email').ignore()
}

/** The records that would be created, not stored (profiles.md#defaults-of-a-new-profile). */
export async function newUsers(emails: string[], client?: QueryClientContract): Promise<User[]> {
  const locales = await RegistrationLocale.latestOf(emails, client)
  const erased = await ErasedIdentity.of(emails, client)
  return emails.map((email) => newUser(email, erased.get(email), locales.get(email)))
}

/** The record for an address alone, not stored. */
export function newUser(email: string, former?: ErasedIdentity, locale?: string): User {
  return new User().merge({
    email,
    active: former?.active ?? true,
    awaitsReactivation: former?.active === false,
    statusEventAt: former?.erasedAt ?? null,
    theme: 'system',
    locale: locale ?? null,
    brandId: null,
  })
}
