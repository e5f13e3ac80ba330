import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import RegistrationLocale from '#app/profiles/models/registration_locale'

/**
 * Creates the user records that are missing, unbound (profiles.md#lazy-creation). Erased people
 * return with the active flag that they had.
 */
export async function createUsers(
  emails: string[],
  client: QueryClientContract = db.connection()
): Promise<void> {
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
