import { isDeepStrictEqual } from 'node:util'
import {
  type Call,
  type NameQuery,
  type Operation,
  type PageQuery,
  changed,
  filterByName,
  operation,
  page,
} from './operation.ts'
import { requireOrganisation } from './organisations.ts'
import { exists, invalid, notFound, unchanged } from './refusal.ts'
import { FLAG, NAME, NAME_QUERIES, PAGE, list, object, oneOf } from './schema.ts'
import { type ClientConfig, type StoredClient, newId } from './state.ts'

const URIS = list({ type: 'string', minLength: 1, maxLength: 2_048 }, 1_000)
const SEARCH = object({ query: PAGE, queries: NAME_QUERIES })
const PROJECT = {
  name: NAME,
  projectRoleAssertion: FLAG,
  privateLabelingSetting: oneOf(
    'PRIVATE_LABELING_SETTING_UNSPECIFIED',
    'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
    'PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY'
  ),
}
const SETTINGS = {
  redirectUris: URIS,
  postLogoutRedirectUris: URIS,
  responseTypes: list(oneOf('OIDC_RESPONSE_TYPE_CODE')),
  grantTypes: list(oneOf('OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN')),
  appType: oneOf('OIDC_APP_TYPE_WEB', 'OIDC_APP_TYPE_USER_AGENT', 'OIDC_APP_TYPE_NATIVE'),
  authMethodType: oneOf('OIDC_AUTH_METHOD_TYPE_NONE'),
  version: oneOf('OIDC_VERSION_1_0'),
  devMode: FLAG,
  accessTokenType: oneOf('OIDC_TOKEN_TYPE_BEARER', 'OIDC_TOKEN_TYPE_JWT'),
  accessTokenRoleAssertion: FLAG,
  idTokenRoleAssertion: FLAG,
  idTokenUserinfoAssertion: FLAG,
  clockSkew: { type: 'string', pattern: '^\\d+(?:\\.\\d+)?s$' },
}

type SearchBody = { query?: PageQuery; queries?: NameQuery[] }
type ClientBody = Partial<ClientConfig>

/** See zitadel.md#projects-and-clients-api, and the searches and updates that go with it. */
export const projects: Record<string, Operation> = {
  createProject: operation<{ name: string }>({
    method: 'POST',
    path: /^\/management\/v1\/projects$/,
    permission: 'project.create',
    writes: true,
    takes: object(PROJECT, ['name']),
    run({ state, orgId, body: { name, ...settings } }) {
      requireOrganisation(state, orgId)
      if (projectsOf({ state, orgId }).some((project) => project.name === name)) {
        throw exists('Project already exists')
      }
      const id = newId()
      state.projects.set(id, { id, orgId, name, settings, clients: [] })
      return { id, ...changed() }
    },
  }),
  searchProjects: operation<SearchBody>({
    method: 'POST',
    path: /^\/management\/v1\/projects\/_search$/,
    permission: 'project.read',
    takes: SEARCH,
    run({ state, orgId, body }) {
      requireOrganisation(state, orgId)
      const found = filterByName(projectsOf({ state, orgId }), body.queries)
      const items = found.map(({ id, name }) => ({ id, name, state: 'PROJECT_STATE_ACTIVE' }))
      return page(items, body.query)
    },
  }),
  createClient: operation<ClientBody & { name: string }>({
    method: 'POST',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/oidc$/,
    permission: 'project.app.write',
    writes: true,
    takes: object({ name: NAME, ...SETTINGS }, ['name']),
    run(call) {
      const { clients } = requireProject(call)
      const { name, ...settings } = call.body
      if (clients.some((client) => client.name === name)) throw exists('App already exists')
      const appId = newId()
      const clientId = `${newId()}@${call.ids[0]}`
      clients.push({ appId, name, clientId, config: withDefaults(settings) })
      return { appId, clientId }
    },
  }),
  searchClients: operation<SearchBody>({
    method: 'POST',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/_search$/,
    permission: 'project.app.read',
    takes: SEARCH,
    run(call) {
      const found = filterByName(requireProject(call).clients, call.body.queries)
      return page(found.map(resource), call.body.query)
    },
  }),
  readClient: operation({
    method: 'GET',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/([^/]+)$/,
    permission: 'project.app.read',
    run: (call) => ({ app: resource(requireClient(call)) }),
  }),
  changeClient: operation<ClientBody>({
    method: 'PUT',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/([^/]+)\/oidc_config$/,
    permission: 'project.app.write',
    writes: true,
    takes: object(SETTINGS),
    run(call) {
      const client = requireClient(call)
      const config = withDefaults(call.body)
      if (isDeepStrictEqual(config, client.config)) throw unchanged('No changes')
      client.config = config
      return changed()
    },
  }),
}

type ProjectPath = Pick<Call, 'state' | 'orgId' | 'ids'>

const projectsOf = ({ state, orgId }: Pick<Call, 'state' | 'orgId'>) =>
  [...state.projects.values()].filter((project) => project.orgId === orgId)

function requireProject({ state, orgId, ids }: ProjectPath) {
  const project = state.projects.get(ids[0])
  if (!project || project.orgId !== orgId) throw notFound('Project not found')
  return project
}

function requireClient(path: ProjectPath) {
  const client = requireProject(path).clients.find(({ appId }) => appId === path.ids[1])
  if (!client) throw notFound('App not found')
  return client
}

function resource({ appId, name, clientId, config }: StoredClient) {
  // The provider leaves out default values.
  const set = Object.entries(config).filter(([, value]) => value !== false && value !== '0s')
  const oidcConfig = { ...Object.fromEntries(set), clientId, noneCompliant: false }
  return { id: appId, name, state: 'APP_STATE_ACTIVE', oidcConfig }
}

/** Absent settings get their default, even in an update. */
function withDefaults(settings: ClientBody): ClientConfig {
  const { redirectUris = [], postLogoutRedirectUris = [], devMode } = settings
  const all = [...redirectUris, ...postLogoutRedirectUris]
  if (all.some((uri) => uri.startsWith('http:')) && devMode !== true) {
    throw invalid('http needs devMode')
  }
  return { ...settings, redirectUris, postLogoutRedirectUris }
}
