import type Application from '#app/applications/models/application'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import { mapForeignKeyViolation } from '#app/profiles/actions/map_foreign_key_violation'
import type User from '#app/profiles/models/user'

export interface PreferenceChanges {
  showHelp?: boolean
  notificationsEnabled?: boolean
}

/** @throws ApplicationNotFound */
export async function updatePreference(
  user: User,
  application: Application,
  changes: PreferenceChanges
) {
  const key = { userId: user.id, applicationId: application.id }
  const preference = await mapForeignKeyViolation(() => ensurePreference(key))
  return preference.merge(changes).save()
}
