import { isCleanText } from '#core/values/clean_text'
import type { Claims } from '#app/auth/token/userinfo'
import type { Identity } from '#app/auth/values/caller'

const MAX_NAME_LENGTH = 200

/** Claims that are not usable text count as absent. */
export function callerNames(claims: Claims): Identity['names'] {
  const names: Identity['names'] = {}
  const firstName = nameClaim(claims.given_name)
  const lastName = nameClaim(claims.family_name)
  const displayName = nameClaim(claims.name)
  if (firstName) names.firstName = firstName
  if (lastName) names.lastName = lastName
  if (displayName) names.displayName = displayName
  return names
}

function nameClaim(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isCleanText(value)) return undefined
  const name = value.trim()
  return name !== '' && name.length <= MAX_NAME_LENGTH ? name : undefined
}
