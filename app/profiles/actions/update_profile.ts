import { DateTime } from 'luxon'
import app from '@adonisjs/core/services/app'
import { requireEnabledLanguage } from '#app/platform/actions/require_enabled_language'
import { UnknownBrand } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import type User from '#app/profiles/models/user'
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

/** @throws UnknownBrand, UnknownLanguages, UpstreamUnreachable; nothing is changed then */
export async function updateProfile(user: User, changes: ProfileChanges): Promise<User> {
  const { brand, firstName, lastName, displayName, ...fields } = changes
  const names = { firstName, lastName, displayName }
  if (fields.locale && fields.locale !== user.locale) {
    fields.locale = await requireEnabledLanguage(fields.locale)
  }
  const brandId = brand === undefined ? undefined : await findBrandId(brand)
  if (hasAnyName(names)) await changeNames(user, names)
  return user.merge({ ...fields, ...(brandId !== undefined && { brandId }) }).save()
}

async function findBrandId(slug: string) {
  const brand = await Brand.bySlug(slug)
  if (!brand) throw new UnknownBrand({ details: { unknown: [slug] } })
  return brand.id
}

async function changeNames(user: User, names: NameEdits) {
  user.merge(omitUndefined(names))
  const directory = await app.container.make(IdentityDirectory)
  await directory.changeNames(user.idpUserId, { ...names, displayName: user.calledName })
  const now = DateTime.utc()
  user.namesChangedAt = now
  if (names.firstName !== undefined) user.firstNameChangedAt = now
  if (names.lastName !== undefined) user.lastNameChangedAt = now
  if (names.displayName !== undefined) user.displayNameChangedAt = now
}

function omitUndefined(names: NameEdits): NameEdits {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined))
}
