import { isoTimestamp } from '#core/values/iso_timestamp'
import type ApplicationPreference from '#app/profiles/models/application_preference'
import type User from '#app/profiles/models/user'

export function loginStatistics(preference: ApplicationPreference) {
  return {
    firstLoginAt: isoTimestamp(preference.firstLoginAt),
    lastLoginAt: isoTimestamp(preference.lastLoginAt),
    loginCount: preference.loginCount,
    lastActivityAt: isoTimestamp(preference.lastActivityAt),
  }
}

/** Leaves out preferences whose application was deleted while they were loaded. */
export function existingPreferences(user: User): ApplicationPreference[] {
  return user.preferences.filter(({ application }) => Boolean(application))
}

/** See profiles.md#preference-fields. */
export function preferenceResource(applicationCode: string, preference: ApplicationPreference) {
  return {
    applicationCode,
    showHelp: preference.showHelp,
    notificationsEnabled: preference.notificationsEnabled,
    ...loginStatistics(preference),
  }
}
