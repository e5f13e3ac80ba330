import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type User from '#app/profiles/models/user'
import type Application from '#app/applications/models/application'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { mayWrite } from '#core/database/writing_nothing'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { type PreferenceKey, newPreference } from '#app/profiles/actions/ensure_preference'
import { mapForeignKeyViolation } from '#app/profiles/actions/map_foreign_key_violation'
import { writeLoginRecord } from '#app/profiles/actions/write_login_record'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type { LoginSource } from '#app/profiles/models/login_record'

/** @throws ApplicationNotFound */
export function recordLogin(
  user: User,
  application: Application,
  source: LoginSource
): Promise<ApplicationPreference> {
  const now = DateTime.utc()
  const login = { email: user.email, appCode: application.code, event: 'login' as const, source }
  return mapForeignKeyViolation(() =>
    transaction(async (trx) => {
      // If the request must write nothing, a new user has been rolled back.
      const { id: userId } = mayWrite() ? user : await ensureUser(user, undefined, trx)
      const key = { userId, applicationId: application.id }
      await countLogin(key, now, trx)
      await writeLoginRecord({ ...login, occurredAt: now }, trx)
      return ApplicationPreference.findByOrFail(key, { client: trx })
    })
  )
}

async function countLogin(key: PreferenceKey, now: DateTime, trx: TransactionClientContract) {
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
