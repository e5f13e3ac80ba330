import { isoTimestamp } from '#core/values/iso_timestamp'
import type { Profile } from '#app/profiles/queries/find_profile'
import { identityProfileUrl } from '#app/profiles/values/identity_profile_url'
import { effectiveDisplayName } from '#app/profiles/values/names'

export function profileResource(profile: Profile) {
  return {
    id: profile.id,
    email: profile.email,
    firstName: profile.firstName,
    lastName: profile.lastName,
    displayName: effectiveDisplayName(profile),
    avatarUrl: profile.avatarUrl,
    locale: profile.locale,
    theme: profile.theme,
    timezone: profile.timezone,
    brand: profile.brandSlug,
    identityProfileUrl,
    createdAt: isoTimestamp(profile.createdAt),
    updatedAt: isoTimestamp(profile.updatedAt),
  }
}
