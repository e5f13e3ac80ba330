import type User from '#app/profiles/models/user'
import { type Names, type ToldNames, notToCome } from '#app/profiles/values/names'

const CHANGED_AT = {
  firstName: 'firstNameChangedAt',
  lastName: 'lastNameChangedAt',
  displayName: 'displayNameChangedAt',
} as const
const NAMES = Object.keys(CHANGED_AT) as (keyof Names)[]

/**
 * Takes over each name that is not older than the stored one: for a source that reports names one
 * by one and in any order. The record must be locked; it is not saved.
 *
 * @returns whether any name is another one now
 */
export function applyToldNames(user: User, names: ToldNames): boolean {
  let isRenamed = false
  for (const name of NAMES) {
    const told = names[name]
    if (told === undefined) continue
    const at = notToCome(told.changedAt)
    const known = user[CHANGED_AT[name]]
    if (known === null || known <= at) {
      if (user[name] !== told.value) isRenamed = true
      user[name] = told.value
      if (known?.toMillis() !== at.toMillis()) user[CHANGED_AT[name]] = at
    }
    if (user.namesChangedAt === null || user.namesChangedAt < at) user.namesChangedAt = at
  }
  return isRenamed
}
