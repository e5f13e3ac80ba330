import { DateTime } from 'luxon'
import type User from '#app/profiles/models/user'
import type Application from '#app/applications/models/application'
import { toDatabase } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { newPreference } from '#app/profiles/actions/ensure_preference'
import ApplicationPreference from '#app/profiles/models/application_preference'
import LoginRecord, { type LoginSource } from '#app/profiles/models/login_record'

/**
 * Records a real login into an application: first and last login, last activity and the counter move in one statement,
 * so that no login is lost however many happen at once (specification 4.1).
 */
export function recordLogin(
  user: User,
  application: Application,
  source: LoginSource
): Promise<ApplicationPreference> {
  return transaction(async (trx) => {
    const now = DateTime.utc()
    const at = toDatabase(now)
    const key = { userId: user.id, applicationId: application.id }
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
        first_login_at: trx.raw(
          'coalesce(application_preferences.first_login_at, excluded.first_login_at)'
        ),
        last_login_at: at,
        last_activity_at: at,
        login_count: trx.raw('application_preferences.login_count + 1'),
        updated_at: at,
      })
    await LoginRecord.create(
      { email: user.email, appCode: application.code, event: 'login', source, occurredAt: now },
      { client: trx }
    )
    return ApplicationPreference.findByOrFail(key, { client: trx })
  })
}
