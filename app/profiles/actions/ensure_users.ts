import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'

/** Finds or creates user records, by address. */
export async function ensureUsers(emails: string[]): Promise<Map<string, User>> {
  // A fixed order prevents concurrent requests from waiting for each other.
  const wanted = [...new Set(emails)].sort()
  const known = await findUsers(wanted)
  const missing = wanted.filter((email) => !known.has(email))
  if (missing.length === 0) return known
  const now = toDatabaseTimestamp(DateTime.utc())
  const locales = await RegistrationLocale.latestOf(missing)
  const rows = missing.map((email) => ({
    email,
    active: true,
    theme: 'system',
    locale: locales.get(email) ?? null,
    created_at: now,
    updated_at: now,
  }))
  await db.table('users').multiInsert(rows).onConflict('email').ignore()
  return new Map([...known, ...(await findUsers(missing))])
}

async function findUsers(emails: string[]) {
  const users = emails.length === 0 ? [] : await User.query().whereIn('email', emails)
  return new Map(users.map((user) => [user.email, user]))
}
