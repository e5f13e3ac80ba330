import type { Claims } from '#app/auth/token/userinfo'
import type { Identity } from '#app/auth/values/caller'
import { statedName } from '#app/profiles/values/names'

/** Claims that are not usable text count as absent. */
export function callerNames(claims: Claims): Identity['names'] {
  const names: Identity['names'] = {}
  const firstName = statedName(claims.given_name)
  const lastName = statedName(claims.family_name)
  const displayName = statedName(claims.name)
  if (firstName) names.firstName = firstName
  if (lastName) names.lastName = lastName
  if (displayName) names.displayName = displayName
  return names
}
