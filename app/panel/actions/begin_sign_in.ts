import * as oidc from 'openid-client'
import { providerConfiguration } from '#app/auth/session/provider_client'
import type { PendingSignIn } from '#app/panel/values/pending_sign_in'
import panelConfig from '#config/panel'

/** @throws PanelNotSetUp, Error if the provider cannot be reached */
export async function beginSignIn(
  { returnTo, test }: Pick<PendingSignIn, 'returnTo' | 'test'>,
  browserHash: string
) {
  const configuration = await providerConfiguration()
  const state = oidc.randomState()
  const pending: PendingSignIn = {
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    returnTo,
    test,
    browserHash,
  }
  const location = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: panelConfig.callbackUrl,
    scope: panelConfig.scope,
    state,
    nonce: pending.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    // Otherwise a session at the provider would answer in place of the user.
    ...(test && { prompt: 'login' }),
  })
  return { location: location.href, state, pending }
}
