import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type User from '#app/profiles/models/user'
import type Application from '#app/applications/models/application'
import { toDatabase } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { mayWrite } from '#core/database/writing_nothing'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { type PreferenceKey, newPreference } from '#app/profiles/actions/ensure_preference'
import { unlessGone } from '#app/profiles/actions/unless_gone'
import { writeLoginRecord } from '#app/profiles/actions/write_login_record'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type { LoginSource } from '#app/profiles/models/login_record'

/**
 * Records a real login into an application: first and last login, last activity and the counter
 * move in one statement, so that no login is lost however many happen at once. The counter
 * increases even when the day's records are full.
 *
 * @throws ApplicationNotFound when it was deleted meanwhile
 */
export function recordLogin(
  user: User,
  application: Application,
  source: LoginSource
): Promise<ApplicationPreference> {
  const now = DateTime.utc()
  const login = { email: user.email, appCode: application.code, event: 'login' as const, source }
  return unlessGone(() =>
    transaction(async (trx) => {
      // Where nothing is written, a person on their first visit is not stored yet.
      const { id: userId } = mayWrite() ? user : await ensureUser(user, undefined, trx)
      const key = { userId, applicationId: application.id }
      await countLogin(key, now, trx)
      await writeLoginRecord({ ...login, occurredAt: now }, trx)
      return ApplicationPreference.findByOrFail(key, { client: trx })
    })
  )
}

async function countLogin(key: PreferenceKey, now: DateTime, trx: TransactionClientContract) {
  const at = toDatabase(now)
  // Of logins at once the last to be written need not be the last to have happened.
  const chosen = (column: string, comparison: '<' | '>') =>
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
      first_login_at: chosen('first_login_at', '<'),
      last_login_at: chosen('last_login_at', '>'),
      last_activity_at: chosen('last_activity_at', '>'),
      login_count: trx.raw('application_preferences.login_count + 1'),
      updated_at: at,
    })
}
