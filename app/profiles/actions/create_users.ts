import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import RegistrationLocale from '#app/profiles/models/registration_locale'

/** Creates the user records that are missing, unbound (profiles.md#lazy-creation). */
export async function createUsers(
  emails: string[],
  client: QueryClientContract = db.connection()
): Promise<void> {
  const now = toDatabaseTimestamp(DateTime.utc())
  const locales = await RegistrationLocale.latestOf(emails, client)
  const rows = emails.map((email) => ({
    email,
    active: true,
    theme: 'system',
    locale: locales.get(email) ?? null,
    created_at: now,
    updated_at: now,
  }))
  await client.table('users').multiInsert(rows).onConflict('email').ignore()
}
