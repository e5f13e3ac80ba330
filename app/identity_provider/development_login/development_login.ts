import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { OutboundError } from '#core/network/outbound_error'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { Problem } from '#core/exceptions/problem'
import { fetchDiscovery } from '#app/auth/token/issuer'
import { authenticate } from '#app/auth/authenticate'
import { LoginFailed } from '#app/identity_provider/exceptions'
import { appUrl } from '#config/app'
import identityProvider from '#config/identity_provider'

/** Kept in an encrypted cookie between the two requests of a login. */
export interface PendingLogin {
  clientId: string
  state: string
  verifier: string
}

const SCOPE = 'openid profile email urn:zitadel:iam:user:resourceowner'
const redirectUri = `${appUrl.replace(/\/$/, '')}/api/idp/callback`
const randomText = () => randomBytes(32).toString('base64url')

export async function beginLogin(clientId: string) {
  const pending: PendingLogin = { clientId, state: randomText(), verifier: randomText() }
  const location = new URL(await endpoint('authorization_endpoint'))
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
  return { location: location.href, pending }
}

/**
 * Exchanges the code for tokens and verifies the access token
 * (identity-provider.md#ending-a-login).
 *
 * @throws LoginFailed for a wrong state or a refusal, UpstreamUnreachable
 */
export async function completeLogin(
  callback: { code?: string; state?: string; error?: string },
  pending: PendingLogin | null
) {
  if (callback.error) throw new LoginFailed({ detail: 'The identity provider refused the login' })
  if (!pending || !callback.code || callback.state !== pending.state) {
    throw new LoginFailed({ detail: 'The state does not match a login started in this browser' })
  }
  const tokens = await exchangeCode(callback.code, pending)
  return {
    token_type: tokens.token_type ?? 'Bearer',
    access_token: tokens.access_token,
    id_token: tokens.id_token ?? null,
    id_token_claims: claimsOf(tokens.id_token),
    access_token_claims: claimsOf(tokens.access_token),
    userapi_verification: await verifyAccessToken(tokens.access_token),
  }
}

interface Tokens {
  token_type?: string
  access_token: string
  id_token?: string
}

async function exchangeCode(code: string, { clientId, verifier }: PendingLogin): Promise<Tokens> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  })
  const url = await endpoint('token_endpoint')
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { method: 'POST', author: 'operator', headers, body: body.toString() } as const
    return (await outboundJson(url, request)) as Tokens
  } catch (cause) {
    if (cause instanceof UnusableResponse) {
      throw new LoginFailed({ detail: 'The identity provider refused the code', cause })
    }
    throw new UpstreamUnreachable({ cause })
  }
}

async function endpoint(name: 'authorization_endpoint' | 'token_endpoint'): Promise<string> {
  try {
    return String((await fetchDiscovery(identityProvider.issuer))[name])
  } catch (cause) {
    throw new UpstreamUnreachable({
      detail: 'The identity provider cannot be reached',
      cause: cause instanceof OutboundError ? cause : undefined,
    })
  }
}

function claimsOf(token: string | undefined) {
  try {
    return decodeJwt(token ?? '')
  } catch {
    return null
  }
}

async function verifyAccessToken(accessToken: string) {
  try {
    const { email } = await authenticate(`Bearer ${accessToken}`)
    return { valid: true, email, error: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { valid: false, email: null, error: error.message }
  }
}
