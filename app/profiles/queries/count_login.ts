import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type PreferenceKey, newPreference } from '#app/profiles/actions/ensure_preference'

/** Counts a login in the user's preference of the application, which it creates if needed. */
export async function countLogin(
  key: PreferenceKey,
  now: DateTime,
  trx: TransactionClientContract
) {
  const at = toDatabaseTimestamp(now)
  // Concurrent logins may be written out of order.
  const earliestOrLatest = (column: string, comparison: '<' | '>') =>
    trx.raw(
      `case when application_preferences.${column} ${comparison} excluded.${column}
       then application_preferences.${column} else excluded.${column} end`
    )
  await trx
    .table('application_preferences')
    .insert({
      ...newPreference(key, now),
      first_login_at: at,
      last_login_at: at,
      last_activity_at: at,
      login_count: 1,
    })
    .onConflict(['user_id', 'application_id'])
    .merge({
      first_login_at: earliestOrLatest('first_login_at', '<'),
      last_login_at: earliestOrLatest('last_login_at', '>'),
      last_activity_at: earliestOrLatest('last_activity_at', '>'),
      login_count: trx.raw('application_preferences.login_count + 1'),
      updated_at: at,
    })
}
