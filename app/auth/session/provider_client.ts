import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { decodeJwt, importPKCS8 } from 'jose'
import * as oidc from 'openid-client'
import { outbound } from '#core/network/outbound'
import { PanelNotSetUp } from '#app/auth/session/exceptions'
import panelConfig from '#config/panel'

/** What the identity provider issued to a session. */
export interface SessionTokens {
  accessToken: string
  /** In milliseconds since 1970. */
  expiresAt: number
  refreshToken: string | null
  idToken: string
}

/** A key file of Zitadel for an application. */
interface KeyFile {
  keyId: string
  key: string
}

/** How long a discovery document is used. */
const DISCOVERY_MS = 5 * 60_000
/** For a provider that does not say how long its tokens last. */
const ASSUMED_SECONDS = 5 * 60

let known: { configuration: Promise<oidc.Configuration>; until: number } | undefined

/** @throws PanelNotSetUp, Error if the provider cannot be reached */
export async function providerConfiguration(): Promise<oidc.Configuration> {
  if (!known || performance.now() > known.until) {
    known = { configuration: discover(), until: performance.now() + DISCOVERY_MS }
  }
  const current = known
  try {
    return await current.configuration
  } catch (error) {
    if (known === current) known = undefined
    throw error
  }
}

async function discover() {
  const { client, issuer } = panelConfig
  if (!client.id) throw new PanelNotSetUp()
  const isInsecure = issuer.startsWith('http:')
  return oidc.discovery(new URL(issuer), client.id, undefined, await authentication(), {
    [oidc.customFetch]: fetchAsOperator,
    // Settings refuse such an issuer in production.
    execute: isInsecure ? [oidc.allowInsecureRequests] : [],
  })
}

/** @throws PanelNotSetUp */
async function authentication(): Promise<oidc.ClientAuth> {
  const { secret, keyFile } = panelConfig.client
  if (secret) return oidc.ClientSecretBasic(secret)
  if (!keyFile) throw new PanelNotSetUp()
  const { keyId, key } = JSON.parse(await readFile(keyFile, 'utf8')) as KeyFile
  return oidc.PrivateKeyJwt({ key: await privateKey(key), kid: keyId })
}

/** Zitadel writes PKCS #1, which Web Crypto does not read. */
async function privateKey(pem: string) {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' })
  return importPKCS8(String(pkcs8), 'RS256')
}

/** With the limits of all outgoing requests. */
const fetchAsOperator: oidc.CustomFetch = async (url, { method, headers, body }) => {
  const response = await outbound(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body instanceof URLSearchParams ? body.toString() : undefined,
    author: 'operator',
  })
  const given = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]]
  )
  const content = response.body.length > 0 ? new Uint8Array(response.body) : null
  return new Response(content, { status: response.status, headers: given })
}

/** Whether the provider has ended the grant, such as a refresh token or a code. */
export function isGrantRefusal(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant'
}

/** Whether the provider has ended a grant or refuses the panel, so that asking again is useless. */
export function isRefusal(error: unknown): boolean {
  const isAnswer =
    error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError
  return isAnswer && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** @param former The tokens that are replaced; a provider may keep the others valid */
export function sessionTokens(
  response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  former?: SessionTokens
): SessionTokens {
  return {
    accessToken: response.access_token,
    expiresAt: endOf(response),
    refreshToken: response.refresh_token ?? former?.refreshToken ?? null,
    // A renewed ID token may lack the nonce, which distinguishes it from an access token.
    idToken: former?.idToken ?? response.id_token ?? '',
  }
}

/** The earlier of what the provider and the token itself say. */
function endOf(response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): number {
  const stated = Date.now() + (response.expiresIn() ?? ASSUMED_SECONDS) * 1_000
  try {
    const { exp } = decodeJwt(response.access_token)
    return exp === undefined ? stated : Math.min(stated, exp * 1_000)
  } catch {
    // The token verification says what is wrong with it.
    return stated
  }
}
