import { DateTime } from 'luxon'
import app from '@adonisjs/core/services/app'
import { requireEnabledLanguage } from '#app/platform/actions/require_enabled_language'
import { UnknownBrand } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import { IdentityDirectory } from '#app/profiles/values/identity_directory'
import { type NameEdits, hasAnyName } from '#app/profiles/values/names'
import type { Theme } from '#app/profiles/values/theme'

export interface ProfileChanges extends NameEdits {
  avatarUrl?: string | null
  locale?: string | null
  theme?: Theme
  timezone?: string | null
  brand?: string
}

/**
 * @throws UnknownBrand, UnknownLanguages, NameRefused, UpstreamUnreachable, AlreadyAtWork; nothing
 *   is changed then
 */
export async function updateProfile(user: User, changes: ProfileChanges): Promise<User> {
  const { brand, firstName, lastName, displayName, ...fields } = changes
  const names = { firstName, lastName, displayName }
  if (fields.locale) fields.locale = await requireEnabledLanguage(fields.locale, user.locale)
  const brandId = brand === undefined ? undefined : await findBrandId(brand)
  const others = { ...fields, ...(brandId !== undefined && { brandId }) }
  if (!hasAnyName(names)) return user.merge(others).save()
  const directory = await app.container.make(IdentityDirectory)
  return directory.withNamesLocked(user.idpUserId, async () => {
    // Another request may have changed the other names while this one waited.
    const current = (await User.find(user.id)) ?? user
    current.merge(omitUndefined(names))
    const displayed = { ...names, displayName: current.calledName }
    await directory.changeNames(current.idpUserId, displayed)
    return current.merge({ ...timesOfChange(names), ...others }).save()
  })
}

async function findBrandId(slug: string) {
  const brand = await Brand.bySlug(slug)
  if (!brand) throw new UnknownBrand({ details: { unknown: [slug] } })
  return brand.id
}

function timesOfChange({ firstName, lastName, displayName }: NameEdits) {
  const now = DateTime.utc()
  return {
    namesChangedAt: now,
    ...(firstName !== undefined && { firstNameChangedAt: now }),
    ...(lastName !== undefined && { lastNameChangedAt: now }),
    ...(displayName !== undefined && { displayNameChangedAt: now }),
  }
}

function omitUndefined(names: NameEdits): NameEdits {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined))
}
