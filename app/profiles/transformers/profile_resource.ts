import { isoTimestamp } from '#core/values/iso_timestamp'
import Brand from '#app/platform/models/brand'
import type User from '#app/profiles/models/user'
import { identityProfileUrl } from '#app/profiles/values/identity_profile_url'

/** See profiles.md#brand-of-a-user. */
export async function profileResource(user: User) {
  const chosen = user.brandId === null ? null : await Brand.find(user.brandId)
  const brand = chosen ?? (await Brand.default())
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: user.effectiveDisplayName,
    avatarUrl: user.avatarUrl,
    locale: user.locale,
    theme: user.theme,
    timezone: user.timezone,
    brand: brand.slug,
    identityProfileUrl,
    createdAt: isoTimestamp(user.createdAt),
    updatedAt: isoTimestamp(user.updatedAt),
  }
}
