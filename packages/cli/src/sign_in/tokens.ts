import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'

export interface Tokens {
  token: string
  refreshToken?: string
  /** Milliseconds since the epoch. */
  expiresAt?: number
}

/** See RFC 6749 and RFC 8628 for `error`. */
export class OAuthError extends Error {
  readonly error: string

  constructor(error: string, description: unknown) {
    super(typeof description === 'string' ? description : error)
    this.error = error
  }
}

const TIMEOUT_MS = 10_000

/** @throws OAuthError, or Failure when the provider cannot be reached or does not speak OAuth */
export async function postForm(url: string, fields: Record<string, string>) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const form = new URLSearchParams(fields)
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    signal,
    redirect: 'error',
  }).catch(() => undefined)
  const given: unknown = await response?.json().catch(() => undefined)
  if (response === undefined || typeof given !== 'object' || given === null) {
    throw new Failure('The identity provider could not be reached', EXIT.unreachable)
  }
  const body = given as Record<string, unknown>
  if (response.ok) return body
  throw new OAuthError(String(body.error), body.error_description)
}

export async function refreshTokens(endpoint: string, clientId: string, refreshToken: string) {
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
  return { refreshToken, ...parseTokens(await postForm(endpoint, fields)) }
}

/** @throws Failure without an access token */
export function parseTokens(body: Record<string, unknown>): Tokens {
  const { access_token: token, refresh_token: refreshToken, expires_in: lifetime } = body
  if (typeof token !== 'string') {
    throw new Failure('The identity provider returned no access token', EXIT.unreachable)
  }
  return {
    token,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(Number(lifetime) > 0 && { expiresAt: Date.now() + Number(lifetime) * 1000 }),
  }
}
