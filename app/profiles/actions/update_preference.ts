import type Application from '#app/applications/models/application'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import type User from '#app/profiles/models/user'

export interface PreferenceChanges {
  showHelp?: boolean
  notificationsEnabled?: boolean
}

/** Changes the switches that are given, never the login statistics. */
export async function updatePreference(
  user: User,
  application: Application,
  changes: PreferenceChanges
) {
  const preference = await ensurePreference({ userId: user.id, applicationId: application.id })
  return preference.merge(changes).save()
}
