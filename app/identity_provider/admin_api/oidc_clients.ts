import {
  type Answer,
  memberOf,
  requiredText,
  resultOf,
  textsOf,
} from '#app/identity_provider/admin_api/answer'
import { askProvider, unusableAnswer } from '#app/identity_provider/admin_api/ask_provider'
import { onceVisible } from '#app/identity_provider/admin_api/once_visible'
import { Missing, Taken, unlessThrown } from '#app/identity_provider/admin_api/unless_thrown'
import { providerPath } from '#app/identity_provider/admin_api/zitadel_api'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'

/** An OIDC client at the identity provider (provider contract 6.6). */
export interface OidcClient {
  projectId: string
  /** The provider's id of the client itself, unlike the one it signs in with. */
  clientAppId: string
  clientId: string
}

export interface ClientUrls {
  redirectUris: string[]
  postLogoutRedirectUris?: string[]
}

const PROJECT = {
  projectRoleAssertion: true,
  privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
}

/** A public web client with PKCE, whose access tokens this service can verify by itself. */
const CLIENT = {
  responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
  grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  appType: 'OIDC_APP_TYPE_WEB',
  authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
  version: 'OIDC_VERSION_1_0',
  devMode: false,
  accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
  accessTokenRoleAssertion: true,
  idTokenRoleAssertion: true,
  idTokenUserinfoAssertion: true,
  clockSkew: '0s',
}
const WRITABLE = [...Object.keys(CLIENT), 'redirectUris', 'postLogoutRedirectUris']

const named = (name: string) => ({
  queries: [{ nameQuery: { name, method: 'TEXT_QUERY_METHOD_EQUALS' } }],
})

/** The project of this name, made where there is none. */
export async function ensureProject(organisation: string, name: string): Promise<string> {
  const path = '/management/v1/projects'
  const body = { name, ...PROJECT }
  const made = await unlessNamed({ organisation, path, body, permission: 'project.create' })
  if (made) return requiredText(made, 'id')
  const search = { organisation, path: `${path}/_search`, permission: 'project.read' }
  return requiredText(await findNamed(search, name), 'id')
}

/** The client of this name with these URLs, made where there is none. */
export async function ensureClient(
  organisation: string,
  projectId: string,
  name: string,
  urls: ClientUrls
): Promise<OidcClient> {
  const path = providerPath`/management/v1/projects/${projectId}/apps/oidc`
  const body = { name, ...CLIENT, postLogoutRedirectUris: [], ...urls, devMode: needsDevMode(urls) }
  const made = await unlessNamed({ organisation, path, body, permission: 'project.app.write' })
  if (made) {
    const [clientAppId, clientId] = [requiredText(made, 'appId'), requiredText(made, 'clientId')]
    return { projectId, clientAppId, clientId }
  }
  const found = await findNamed(
    {
      organisation,
      path: providerPath`/management/v1/projects/${projectId}/apps/_search`,
      permission: 'project.app.read',
    },
    name
  )
  const clientId = requiredText(memberOf(found, 'oidcConfig'), 'clientId')
  const client = { projectId, clientAppId: requiredText(found, 'id'), clientId }
  await changeClient(organisation, client, urls)
  return client
}

/** Replaces the URLs and leaves the rest as it is. @throws ApplicationHasNoClient when it is gone */
export async function changeClient(
  organisation: string,
  { projectId, clientAppId }: OidcClient,
  urls: ClientUrls
) {
  const path = providerPath`/management/v1/projects/${projectId}/apps/${clientAppId}`
  const config = await onceVisible(
    () => readConfig(organisation, path),
    (found) => found !== null
  )
  if (config === null) throw new ApplicationHasNoClient()
  const kept = Object.entries(config).filter(([name]) => WRITABLE.includes(name))
  const body: Answer = { ...Object.fromEntries(kept), ...urls }
  const all = { ...urls, postLogoutRedirectUris: textsOf(body, 'postLogoutRedirectUris') }
  if (needsDevMode(all)) body.devMode = true
  await askProvider({
    method: 'PUT',
    path: `${path}/oidc_config`,
    body,
    organisation,
    permission: 'project.app.write',
    missing: () => new ApplicationHasNoClient(),
  })
}

async function readConfig(organisation: string, path: string) {
  const missing = () => new Missing()
  const question = { method: 'GET', path, permission: 'project.app.read', missing } as const
  return unlessThrown(Missing, async () => {
    const answer = await askProvider({ ...question, organisation })
    return memberOf(memberOf(answer, 'app'), 'oidcConfig')
  })
}

interface NamedCall {
  organisation: string
  path: string
  permission: string
}

/** The answer to making something; null when the name is taken, by an earlier attempt as likely as not. */
async function unlessNamed(call: NamedCall & { body: object }): Promise<unknown> {
  const taken = () => new Taken()
  return unlessThrown(Taken, () => askProvider({ method: 'POST', ...call, taken }))
}

/** What is known to exist may take a moment to show. */
async function findNamed(call: NamedCall, name: string): Promise<Answer> {
  const body = named(name)
  const search = async () => resultOf(await askProvider({ method: 'POST', body, ...call }))
  const [found] = await onceVisible(search, (all) => all.length > 0)
  if (!found) throw unusableAnswer()
  return found
}

/** The provider takes plain http for development only. */
const needsDevMode = ({ redirectUris, postLogoutRedirectUris = [] }: ClientUrls) =>
  [...redirectUris, ...postLogoutRedirectUris].some((uri) => /^http:/i.test(uri))
