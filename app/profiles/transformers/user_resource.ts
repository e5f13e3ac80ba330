import { isoTimestamp } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import {
  existingPreferences,
  loginStatistics,
} from '#app/profiles/transformers/preference_resource'
import { type PanelViewer, canSeeLogins } from '#app/profiles/values/panel_viewer'

/** Expects `preferences` and their applications to be loaded. */
export function userResource(user: User, onlooker: PanelViewer) {
  const preferences = existingPreferences(user).filter(({ application }) =>
    canSeeLogins(onlooker, application.code)
  )

  return {
    id: user.id,
    email: user.email,
    active: user.active,
    idpUserId: user.idpUserId,
    idpOrgId: user.idpOrgId,
    createdAt: isoTimestamp(user.createdAt),
    updatedAt: isoTimestamp(user.updatedAt),
    applications: preferences.map((preference) => ({
      applicationCode: preference.application.code,
      ...loginStatistics(preference),
    })),
  }
}
