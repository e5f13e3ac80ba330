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
    // Somebody may be erased before the record is read.
    const missing = emails.filter((email) => !created.has(email))
    if (missing.length === 0) return created
    if (attempt > ATTEMPTS) throw new Error('New user records were deleted at once')
    await insertUsers(missing, client)
    const users = await User.query({ client }).whereIn('email', missing)
    for (const user of users) created.set(user.email, user)
  }
}

/** See profiles.md#defaults-of-a-new-profile. */
async function insertUsers(emails: string[], client: QueryClientContract) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const locales = await RegistrationLocale.latestOf(emails, client)
  const erased = await ErasedIdentity.of(emails, client)
  const rows = emails.map((email) => {
    const former = erased.get(email)
    return {
      email,
      active: former?.active ?? true,
      awaits_reactivation: former?.active === false,
      status_event_at: former?.erasedAt ?? null,
      theme: 'system',
      locale: locales.get(email) ?? null,
      created_at: now,
      updated_at: now,
    }
  })
  await client.table('users').multiInsert(rows).onConflict('email').ignore()
}
