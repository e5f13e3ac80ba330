import env from '#start/env'
import { appUrl } from '#config/app'
import identityProvider from '#config/identity_provider'

const origin = new URL(appUrl).origin

/** Lets tokens name the organisation of the account. */
const ORGANISATION_SCOPE = 'urn:zitadel:iam:user:resourceowner'

export default {
  /** Unsafe requests with the cookie must come from this origin. */
  origin,
  callbackUrl: `${origin}/panel/callback`,
  signedOutUrl: `${origin}/panel`,

  /** The confidential client with which users sign in. Without an id, nobody can. */
  client: {
    id: env.get('PANEL_CLIENT_ID') || undefined,
    secret: env.get('PANEL_CLIENT_SECRET') || undefined,
    keyFile: env.get('PANEL_CLIENT_KEY_FILE') || undefined,
  },
  issuer: identityProvider.issuer,
  scope: env.get('PANEL_SCOPES') || `openid profile email offline_access ${ORGANISATION_SCOPE}`,

  signInMinutes: 10,
  session: {
    idleMinutes: 60,
    hours: 12,
    /** The oldest sessions of a user end beyond this number. */
    perPerson: 50,
  },
}
