import { DEVELOPMENT_ORGANISATION, type DevelopmentAccount } from './accounts.ts'
import { type StoredUser, newUser } from './api/state.ts'

/** The user of the API behind an account. */
export function userOf(account: DevelopmentAccount): StoredUser {
  const { userId, email, givenName, familyName, displayName } = account
  const profile = { givenName, familyName, displayName }
  return newUser({ userId, email, profile, orgId: DEVELOPMENT_ORGANISATION.id })
}
