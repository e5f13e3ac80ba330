import { isDeepStrictEqual } from 'node:util'
import app from '@adonisjs/core/services/app'
import {
  type JsonObject,
  readObject,
  requireText,
  readResults,
  readTexts,
} from '#app/identity_provider/zitadel/provider_json'
import { callProvider, unusableResponse } from '#app/identity_provider/zitadel/call_provider'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { Missing, Taken, nullOnError } from '#app/identity_provider/zitadel/null_on_error'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'
import { ApplicationHasNoClient } from '#app/identity_provider/exceptions'
import type { ClientUris } from '#app/identity_provider/oidc_clients/client_uris'

/** See zitadel.md#projects-and-clients-api. */
export interface OidcClient {
  projectId: string
  /** The provider's id of the client, which is not the one used to sign in. */
  clientAppId: string
  clientId: string
}

export interface ClientConfig {
  uris: ClientUris
  /** The whole configuration, as the provider returns it. */
  settings: JsonObject
}

const PROJECT = {
  projectRoleAssertion: true,
  privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
}

/** A public web client with PKCE and JWT access tokens, which this service verifies locally. */
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

const nameQuery = (name: string) => ({
  queries: [{ nameQuery: { name, method: 'TEXT_QUERY_METHOD_EQUALS' } }],
})

export async function ensureProject(organisation: string, name: string): Promise<string> {
  const path = '/management/v1/projects'
  const body = { name, ...PROJECT }
  const created = await createOrNull({
    organisation,
    path,
    body,
    permission: 'project.create',
  })
  if (created) return requireText(created, 'id')
  const search = { organisation, path: `${path}/_search`, permission: 'project.read' }
  return requireText(await findByName(search, name), 'id')
}

/** Finds the client with this name, or creates it with these URIs. */
export async function ensureClient(
  organisation: string,
  projectId: string,
  name: string,
  redirectUris: string[]
): Promise<{ client: OidcClient; isNew: boolean }> {
  const path = providerPath`/management/v1/projects/${projectId}/apps/oidc`
  const uris = { redirectUris, postLogoutRedirectUris: [] }
  const body = { name, ...CLIENT, ...uris, devMode: needsDevMode(uris) }
  const created = await createOrNull({
    organisation,
    path,
    body,
    permission: 'project.app.write',
  })
  if (created) {
    const [clientAppId, clientId] = [
      requireText(created, 'appId'),
      requireText(created, 'clientId'),
    ]
    return { client: { projectId, clientAppId, clientId }, isNew: true }
  }
  const found = await findByName(
    {
      organisation,
      path: providerPath`/management/v1/projects/${projectId}/apps/_search`,
      permission: 'project.app.read',
    },
    name
  )
  const clientId = requireText(readObject(found, 'oidcConfig'), 'clientId')
  const client = { projectId, clientAppId: requireText(found, 'id'), clientId }
  return { client, isNew: false }
}

/** @throws ApplicationHasNoClient if it is gone */
export async function readClient(organisation: string, client: OidcClient): Promise<ClientConfig> {
  const config = await pollUntil(
    () => readConfig(organisation, client),
    (found) => found !== null
  )
  if (config === null) throw new ApplicationHasNoClient()
  return config
}

/**
 * @returns whether this changed anything
 * @throws ApplicationHasNoClient if it is gone
 */
export async function writeUris(
  organisation: string,
  client: OidcClient,
  { settings }: ClientConfig,
  uris: ClientUris
): Promise<boolean> {
  const kept = Object.entries(settings).filter(([name]) => WRITABLE.includes(name))
  const body: JsonObject = { ...Object.fromEntries(kept), ...uris }
  if (needsDevMode(uris)) body.devMode = true
  const response = await callProvider({
    method: 'PUT',
    path: `${clientPath(client)}/oidc_config`,
    body,
    organisation,
    permission: 'project.app.write',
    missing: () => new ApplicationHasNoClient(),
  })
  return response !== null
}

/** Waits a while for the provider to return these URIs, because reads lag behind writes. */
export async function waitForUris(organisation: string, client: OidcClient, uris: ClientUris) {
  const matches = (found: ClientConfig | null) => isDeepStrictEqual(found?.uris, uris)
  return matches(await pollUntil(() => readConfig(organisation, client), matches))
}

const clientPath = ({ projectId, clientAppId }: OidcClient) =>
  providerPath`/management/v1/projects/${projectId}/apps/${clientAppId}`

async function readConfig(organisation: string, client: OidcClient): Promise<ClientConfig | null> {
  const missing = () => new Missing()
  const path = clientPath(client)
  const question = { method: 'GET', path, permission: 'project.app.read', missing } as const
  return nullOnError(Missing, async () => {
    const response = await callProvider({ ...question, organisation })
    const settings = readObject(readObject(response, 'app'), 'oidcConfig')
    const redirectUris = readTexts(settings, 'redirectUris')
    const postLogoutRedirectUris = readTexts(settings, 'postLogoutRedirectUris')
    return { settings, uris: { redirectUris, postLogoutRedirectUris } }
  })
}

interface NamedCall {
  organisation: string
  path: string
  permission: string
}

/** Null if the name is taken, probably by an earlier attempt. */
async function createOrNull(call: NamedCall & { body: object }): Promise<unknown> {
  const taken = () => new Taken()
  return nullOnError(Taken, () => callProvider({ method: 'POST', ...call, taken }))
}

/** Waits for something that is known to exist, because reads lag behind writes. */
async function findByName(call: NamedCall, name: string): Promise<JsonObject> {
  const body = nameQuery(name)
  const search = async () => readResults(await callProvider({ method: 'POST', body, ...call }))
  const [found] = await pollUntil(search, (all) => all.length > 0)
  if (!found) throw unusableResponse()
  return found
}

/** The provider accepts plain http only in its development mode. */
const needsDevMode = ({ redirectUris, postLogoutRedirectUris }: ClientUris) =>
  !app.inProduction &&
  [...redirectUris, ...postLogoutRedirectUris].some((uri) => /^http:/i.test(uri))
