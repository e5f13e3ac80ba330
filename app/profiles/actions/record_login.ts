import { DateTime } from 'luxon'
import type User from '#app/profiles/models/user'
import type Application from '#app/applications/models/application'
import { transaction } from '#core/database/transaction'
import { mayWrite } from '#core/database/writing_nothing'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { mapForeignKeyViolation } from '#app/profiles/actions/map_foreign_key_violation'
import { writeLoginRecord } from '#app/profiles/actions/write_login_record'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type { LoginSource } from '#app/profiles/models/login_record'
import { countLogin } from '#app/profiles/queries/count_login'

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
