import { type KoaContextWithOIDC, interactionPolicy } from 'oidc-provider'
import { ORGANISATION_CLAIM } from './claims.ts'

/** The ID token claims that each scope adds. */
export const CLAIMS_BY_SCOPE = {
  'openid': ['sub'],
  'email': ['email', 'email_verified'],
  'profile': ['name', 'given_name', 'family_name', 'preferred_username'],
  'urn:zitadel:iam:user:resourceowner': [ORGANISATION_CLAIM],
}

export const SCOPES = [...Object.keys(CLAIMS_BY_SCOPE), 'offline_access']

/** Grants the first-party client everything it requests, without consent. */
export async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { provider, client, account, session } = oidc
  if (!client || !account) return undefined
  const grantId = session?.grantIdFor(client.clientId)
  const known = grantId ? await provider.Grant.find(grantId) : undefined
  const owner = { accountId: account.accountId, clientId: client.clientId }
  const isOwned = known?.accountId === owner.accountId
  const grant = known && isOwned ? known : new provider.Grant(owner)
  grant.addOIDCScope(SCOPES)
  for (const resource of Object.keys(oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, SCOPES)
  }
  await grant.save()
  return grant
}

/** Adds `select_account`, and asks for consent only with `prompt=consent`. */
export function prompts() {
  const policy = interactionPolicy.base()
  const { Prompt } = interactionPolicy
  policy.remove('consent')
  policy.add(new Prompt({ name: 'consent', requestable: true }))
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}

/**
 * Without consent, the library issues no refresh token, but the real provider does. So this adds
 * the prompt, which the login then answers.
 */
export function withConsentForRefreshTokens(url: string): string {
  const [path, query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const valuesOf = (name: string) => (parameters.get(name) ?? '').split(' ').filter(Boolean)
  const prompt = valuesOf('prompt')
  if (!valuesOf('scope').includes('offline_access')) return url
  if (prompt.includes('none') || prompt.includes('consent')) return url
  parameters.set('prompt', [...prompt, 'consent'].join(' '))
  return `${path}?${parameters}`
}
