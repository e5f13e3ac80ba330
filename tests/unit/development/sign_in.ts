import { createHash, randomBytes } from 'node:crypto'
import { Browser } from '#tests/helpers/browser'

export const CLIENT_ID = 'concierge-development'
export const REDIRECT_URI = 'http://127.0.0.1:3333/api/idp/callback'

export interface Tokens {
  access_token: string
  id_token: string
  refresh_token?: string
  expires_in: number
  token_type: string
}

/** Begins an authorization code flow. Returns where the browser lands, and the verifier. */
export async function beginSignIn(
  issuer: string,
  browser: Browser,
  parameters: Record<string, string> = {}
) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const page = await browser.follow(await browser.get(`${issuer}/oauth/v2/authorize?${query}`))
  return { page, verifier }
}

export async function exchange(issuer: string, fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  return fetch(`${issuer}/oauth/v2/token`, { method: 'POST', body })
}

/** The whole flow, from the authorization request to the tokens. */
export async function signIn(
  issuer: string,
  email: string,
  parameters: Record<string, string> = {}
): Promise<Tokens> {
  const browser = new Browser()
  const { page, verifier } = await beginSignIn(issuer, browser, parameters)
  const submitted = await browser.submit(page.url, { email, password: 'concierge' })
  const callback = new URL((await browser.follow(submitted)).headers.get('location')!)
  const response = await exchange(issuer, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code')!,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  })
  return (await response.json()) as Tokens
}
