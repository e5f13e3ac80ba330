import * as oidc from 'openid-client'
import { authenticate } from '#app/auth/authenticate'
import {
  type SessionTokens,
  providerConfiguration,
  sessionTokens,
} from '#app/auth/session/provider_client'
import { revokeLater } from '#app/auth/session/revoke_tokens'
import type { Caller } from '#app/auth/values/caller'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'
import { UserInactive } from '#app/profiles/exceptions'
import { SignInFailed } from '#app/panel/exceptions'
import type { PendingSignIn } from '#app/panel/values/pending_sign_in'
import panelConfig from '#config/panel'

/**
 * Exchanges the code for tokens. Their holder becomes the caller in the same way as with a bearer
 * token. The tokens of a sign-in that fails are revoked.
 * @throws SignInFailed, InvalidToken, EmailNotVerified, OrganisationNotAccepted, IdentityConflict,
 * UserInactive, errors of `openid-client`
 */
export async function completeSignIn(
  query: string,
  state: string,
  pending: PendingSignIn
): Promise<{ caller: Caller; tokens: SessionTokens }> {
  const { tokens, claims } = await exchangeCode(query, state, pending)
  try {
    return { caller: await callerOf(tokens, claims), tokens }
  } catch (error) {
    revokeLater([tokens])
    throw error
  }
}

async function callerOf({ accessToken }: SessionTokens, { sub, azp }: oidc.IDToken) {
  if (azp !== undefined && azp !== panelConfig.client.id) {
    throw new SignInFailed({ detail: 'The ID token was issued to another client' })
  }
  const caller = await authenticate(`Bearer ${accessToken}`)
  if (caller.subject !== sub) {
    throw new SignInFailed({ detail: 'The tokens belong to different accounts' })
  }
  if (!caller.isActive) throw new UserInactive()
  await ensureCaller(caller)
  return caller
}

async function exchangeCode(query: string, state: string, { nonce, verifier }: PendingSignIn) {
  const configuration = await providerConfiguration()
  // Not from the request, because clients choose its Host header.
  const url = new URL(`${panelConfig.callbackUrl}?${query}`)
  const response = await oidc.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  return { tokens: sessionTokens(response), claims: response.claims()! }
}
