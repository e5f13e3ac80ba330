import { recordChange } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { transaction } from '#core/database/transaction'
import type Application from '#app/applications/models/application'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import type { PreferenceChanges } from '#app/profiles/actions/update_preference'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type User from '#app/profiles/models/user'

/** Changes the preference of another user. @throws ApplicationNotFound */
export function changeUserPreference(
  user: User,
  application: Application,
  changes: PreferenceChanges
): Promise<ApplicationPreference> {
  return transaction(async (trx) => {
    const key = { userId: user.id, applicationId: application.id }
    await ensurePreference(key, trx)
    const preference = await ApplicationPreference.query({ client: trx })
      .where(key)
      .forUpdate()
      .firstOrFail()
    const before = stateOf(preference)
    await preference.merge(changes).save()
    await recordChange(trx, {
      action: 'user.preferences_changed',
      application,
      target: userTarget(user.email),
      before,
      after: stateOf(preference),
      email: user.email,
    })
    return preference
  })
}

const stateOf = ({ showHelp, notificationsEnabled }: ApplicationPreference) => {
  return { showHelp, notificationsEnabled }
}
