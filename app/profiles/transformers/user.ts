import { isoTimestamp } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import { existingPreferences, loginStatistics } from '#app/profiles/transformers/preference'

/** Decisions 3.1, as administrators read it; expects `preferences` with their applications to be loaded. */
export function userResource(user: User) {
  return {
    id: user.id,
    email: user.email,
    active: user.active,
    idpUserId: user.idpUserId,
    idpOrgId: user.idpOrgId,
    createdAt: isoTimestamp(user.createdAt),
    updatedAt: isoTimestamp(user.updatedAt),
    applications: existingPreferences(user).map((preference) => ({
      applicationCode: preference.application.code,
      ...loginStatistics(preference),
    })),
  }
}
