import type User from '#app/profiles/models/user'
import { type Names, type NameChanges, limitToPresent } from '#app/profiles/values/names'

const CHANGED_AT = {
  firstName: 'firstNameChangedAt',
  lastName: 'lastNameChangedAt',
  displayName: 'displayNameChangedAt',
} as const
const NAMES = Object.keys(CHANGED_AT) as (keyof Names)[]

/**
 * Sets each name that is not older than the stored one. The record must be locked; the caller saves
 * it.
 *
 * @returns whether any name changed
 */
export function applyNameChanges(user: User, names: NameChanges): boolean {
  let isRenamed = false
  for (const name of NAMES) {
    const change = names[name]
    if (change === undefined) continue
    const at = limitToPresent(change.changedAt)
    const knownAt = user[CHANGED_AT[name]]
    if (knownAt === null || knownAt <= at) {
      if (user[name] !== change.value) isRenamed = true
      user[name] = change.value
      if (knownAt?.toMillis() !== at.toMillis()) user[CHANGED_AT[name]] = at
    }
    if (user.namesChangedAt === null || user.namesChangedAt < at) user.namesChangedAt = at
  }
  return isRenamed
}

/** Clears the names that still come from a source without proof. */
export function withdrawNames(user: User, names: NameChanges) {
  for (const name of NAMES) {
    if (names[name] === undefined || user[name] !== names[name].value) continue
    user[name] = null
    user[CHANGED_AT[name]] = null
  }
  if (NAMES.every((name) => user[CHANGED_AT[name]] === null)) user.namesChangedAt = null
}
