import { DateTime } from 'luxon'
import app from '@adonisjs/core/services/app'
import { transaction } from '#core/database/transaction'
import { requireEnabledLanguage } from '#app/platform/actions/require_enabled_language'
import { UnknownBrand } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { IdentityConflict, UserInactive } from '#app/profiles/exceptions'
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
 * @param subject the caller's account
 * @throws UnknownBrand, UnknownLanguages, NameRefused, UpstreamUnreachable, AlreadyAtWork,
 *   IdentityConflict, UserInactive; nothing is stored then
 */
export async function updateProfile(
  user: User,
  subject: string,
  changes: ProfileChanges
): Promise<User> {
  const { brand, firstName, lastName, displayName, ...fields } = changes
  const names = { firstName, lastName, displayName }
  if (fields.locale) fields.locale = await requireEnabledLanguage(fields.locale, user.locale)
  const brandId = brand === undefined ? undefined : await findBrandId(brand)
  const others = { ...fields, ...(brandId !== undefined && { brandId }) }
  if (!hasAnyName(names)) return user.merge(others).save()
  const directory = await app.container.make(IdentityDirectory)
  const { email } = user
  return directory.withNamesLocked(subject, async () => {
    // Another request may have changed the other names, or taken the record, while this one waited.
    const current = requireOwn(await User.findBy({ email }), subject)
    current.merge(omitUndefined(names))
    const displayed = { ...names, displayName: current.effectiveDisplayName }
    await directory.changeNames(subject, displayed)
    return transaction(async (trx) => {
      const record = requireOwn(await lockRecord(email, [], trx), subject)
      const stored = { ...omitUndefined(names), ...timesOfChange(names), ...others }
      return record.merge(stored).save()
    })
  })
}

/** Refuses what the guards of the route would refuse now. */
function requireOwn(record: User | null, subject: string): User {
  if (!record?.isBoundTo(subject)) throw new IdentityConflict()
  if (!record.active) throw new UserInactive()
  return record
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
