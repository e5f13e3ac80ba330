import { isoTimestamp } from '#core/database/columns'
import type ApplicationPreference from '#app/profiles/models/application_preference'

/** Login statistics of one person in one application (specification 2.2). */
export function loginStatistics(preference: ApplicationPreference) {
  return {
    firstLoginAt: isoTimestamp(preference.firstLoginAt),
    lastLoginAt: isoTimestamp(preference.lastLoginAt),
    loginCount: preference.loginCount,
    lastActivityAt: isoTimestamp(preference.lastActivityAt),
  }
}

/** Specification 2.2, decisions 3.2. */
export function preferenceResource(applicationCode: string, preference: ApplicationPreference) {
  return {
    applicationCode,
    showHelp: preference.showHelp,
    notificationsEnabled: preference.notificationsEnabled,
    ...loginStatistics(preference),
  }
}
