import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type ApplicationPreference from '#app/profiles/models/application_preference'
import type User from '#app/profiles/models/user'
import {
  existingPreferences,
  loginStatistics,
} from '#app/profiles/transformers/preference_resource'
import { type PanelViewer, canSeeLogins } from '#app/profiles/values/panel_viewer'

/** A user as administrators see them (profiles.md#user-record). */
export interface UserResource {
  /** Null for someone without a user record. */
  id: number | null
  email: string
  /** Null for addresses without a user record that hold a role, override or administration. */
  active: boolean | null
  idpUserId: string | null
  idpOrgId: string | null
  firstName: string | null
  lastName: string | null
  displayName: string | null
  locale: string | null
  brand: string | null
  /** The latest login to an application that the caller sees. */
  lastLoginAt: string | null
  createdAt: string | null
  updatedAt: string | null
  applications: UserApplication[]
}

export interface UserApplication {
  applicationCode: string
  firstLoginAt: string | null
  lastLoginAt: string | null
  loginCount: number
  lastActivityAt: string | null
}

export function visiblePreferences(user: User, onlooker: PanelViewer): ApplicationPreference[] {
  return existingPreferences(user).filter(({ application }) =>
    canSeeLogins(onlooker, application.code)
  )
}

/** Expects `brand`, `preferences` and their applications to be loaded. */
export function userResource(
  user: User,
  onlooker: PanelViewer,
  defaultBrand: string
): UserResource {
  const preferences = visiblePreferences(user, onlooker)
  const logins = preferences.flatMap(({ lastLoginAt }) => lastLoginAt ?? [])
  return {
    id: user.id,
    email: user.email,
    active: user.active,
    idpUserId: user.idpUserId,
    idpOrgId: user.idpOrgId,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: user.effectiveDisplayName,
    locale: user.locale,
    brand: user.brand?.slug ?? defaultBrand,
    lastLoginAt: isoTimestamp(DateTime.max(...logins) ?? null),
    createdAt: isoTimestamp(user.createdAt),
    updatedAt: isoTimestamp(user.updatedAt),
    applications: preferences.map((preference) => ({
      applicationCode: preference.application.code,
      ...loginStatistics(preference),
    })),
  }
}

export function userWithoutRecord(email: string): UserResource {
  return {
    id: null,
    email,
    active: null,
    idpUserId: null,
    idpOrgId: null,
    firstName: null,
    lastName: null,
    displayName: null,
    locale: null,
    brand: null,
    lastLoginAt: null,
    createdAt: null,
    updatedAt: null,
    applications: [],
  }
}
