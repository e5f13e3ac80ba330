import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import {
  type IdentityProviderOptions,
  type RunningIdentityProvider,
  mintToken,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { CLIENT_ID, REDIRECT_URI } from '#tests/unit/development/sign_in'

export const PROJECT_ID = '320000000000000001'
export const SERVICE_TOKEN = 'a-personal-access-token'
export const ORGANISATION_CLAIM = 'urn:zitadel:iam:user:resourceowner:id'

export let folder: string
export let options: IdentityProviderOptions
export let idp: RunningIdentityProvider

/** Starts a provider with a key of its own. Returns what ends and removes it. */
export async function beginProvider() {
  folder = await mkdtemp(join(tmpdir(), 'development-idp-'))
  options = {
    host: '127.0.0.1',
    port: 0,
    keysFile: join(folder, 'keys', 'signing.json'),
    clientId: CLIENT_ID,
    audience: [PROJECT_ID],
    redirectUris: [REDIRECT_URI],
    serviceAccountToken: SERVICE_TOKEN,
  }
  idp = await startIdentityProvider(options)
  return async () => {
    await idp.close()
    await rm(folder, { recursive: true })
  }
}

/** Stops the provider and starts it again on its port; `meanwhile` runs in between. */
export async function restart(meanwhile: () => Promise<void>) {
  const { port } = idp
  await idp.close()
  await meanwhile()
  idp = await startIdentityProvider({ ...options, port })
}

export function mint(email: string, expiresIn?: string) {
  return mintToken({ ...options, issuer: idp.issuer, email, expiresIn })
}

/** Verifies a token as a service does, with the keys the provider publishes. */
export function verify(token: string) {
  return jwtVerify(token, createRemoteJWKSet(new URL(`${idp.issuer}/oauth/v2/keys`)), {
    issuer: idp.issuer,
    audience: PROJECT_ID,
    algorithms: ['RS256'],
  })
}

export function userinfo(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${idp.issuer}/oidc/v1/userinfo`, { headers })
}

export function introspect(token: string) {
  const body = new URLSearchParams({ token })
  return fetch(`${idp.issuer}/oauth/v2/introspect`, { method: 'POST', body })
}
