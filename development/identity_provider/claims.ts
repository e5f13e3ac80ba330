import { DEVELOPMENT_ORGANISATION, type DevelopmentAccount } from './accounts.ts'

export const ORGANISATION_CLAIM = 'urn:zitadel:iam:user:resourceowner:id'

/** The real provider's default. */
export const TOKEN_LIFETIME_SECONDS = 12 * 60 * 60

export interface Recipient {
  clientId: string
  audience: string[]
}

/** The claims of userinfo and ID tokens. */
export function userClaims(account: DevelopmentAccount) {
  return { ...accountClaims(account), preferred_username: account.email }
}

/** All but the issuer, id and times. */
export function accessTokenClaims(account: DevelopmentAccount, { clientId, audience }: Recipient) {
  const aud = [...new Set([clientId, ...audience])]
  return { ...accountClaims(account), aud, client_id: clientId }
}

function accountClaims(account: DevelopmentAccount) {
  return {
    sub: account.userId,
    name: account.displayName,
    given_name: account.givenName,
    family_name: account.familyName,
    email: account.email,
    email_verified: true,
    [ORGANISATION_CLAIM]: DEVELOPMENT_ORGANISATION.id,
  }
}
