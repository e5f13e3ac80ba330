import {
  type Call,
  type Operation,
  matches,
  page,
  setting,
  text,
  texts,
} from '#tests/world/identity_api/operation'
import { exists, invalid, notFound, unchanged } from '#tests/world/identity_api/refusal'
import { requireOrganisation } from '#tests/world/identity_api/organisations'
import { type StoredClient, newId } from '#tests/world/identity_api/state'

const MAX_PAGE = 100
const SETTINGS = new Set([
  ...['redirectUris', 'postLogoutRedirectUris', 'responseTypes', 'grantTypes', 'appType'],
  ...['authMethodType', 'version', 'devMode', 'accessTokenType', 'accessTokenRoleAssertion'],
  ...['idTokenRoleAssertion', 'idTokenUserinfoAssertion', 'clockSkew'],
])

/** See zitadel.md#projects-and-clients-api, and the searches and updates that go with it. */
export const projects: Record<string, Operation> = {
  createProject: {
    method: 'POST',
    path: /^\/management\/v1\/projects$/,
    permission: 'project.create',
    writes: true,
    run({ state, orgId, body }) {
      requireOrganisation(state, orgId)
      const { name: given, ...settings } = body
      const name = text({ name: given }, 'name')
      if (projectsOf({ state, orgId }).some((project) => project.name === name)) {
        throw exists('Project already exists')
      }
      const id = newId()
      state.projects.set(id, { id, orgId, name, settings, clients: [] })
      return { id }
    },
  },
  searchProjects: {
    method: 'POST',
    path: /^\/management\/v1\/projects\/_search$/,
    permission: 'project.read',
    run({ state, orgId, body }) {
      requireOrganisation(state, orgId)
      const found = filterByName(projectsOf({ state, orgId }), body)
      const items = found.map(({ id, name }) => ({ id, name, state: 'PROJECT_STATE_ACTIVE' }))
      return page(items, body.query, MAX_PAGE)
    },
  },
  createClient: {
    method: 'POST',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/oidc$/,
    permission: 'project.app.write',
    writes: true,
    run(call) {
      const { clients } = requireProject(call)
      const { name: given, ...body } = call.body
      const name = text({ name: given }, 'name')
      if (clients.some((client) => client.name === name)) throw exists('App already exists')
      const appId = newId()
      const clientId = `${newId()}@${call.ids[0]}`
      clients.push({ appId, name, clientId, config: readConfig(body) })
      return { appId, clientId }
    },
  },
  searchClients: {
    method: 'POST',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/_search$/,
    permission: 'project.app.read',
    run(call) {
      const found = filterByName(requireProject(call).clients, call.body)
      return page(found.map(clientResource), call.body.query, MAX_PAGE)
    },
  },
  readClient: {
    method: 'GET',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/([^/]+)$/,
    permission: 'project.app.read',
    run: (call) => ({ app: clientResource(requireClient(call)) }),
  },
  changeClient: {
    method: 'PUT',
    path: /^\/management\/v1\/projects\/([^/]+)\/apps\/([^/]+)\/oidc_config$/,
    permission: 'project.app.write',
    writes: true,
    run(call) {
      const client = requireClient(call)
      const config = readConfig(call.body)
      if (JSON.stringify(config) === JSON.stringify(client.config)) {
        throw unchanged('No changes')
      }
      client.config = config
      return { details: {} }
    },
  },
}

const projectsOf = ({ state, orgId }: Pick<Call, 'state' | 'orgId'>) =>
  [...state.projects.values()].filter((project) => project.orgId === orgId)

function requireProject({ state, orgId, ids }: Call) {
  const project = state.projects.get(ids[0])
  if (!project || project.orgId !== orgId) throw notFound('Project not found')
  return project
}

function requireClient(call: Call) {
  const client = requireProject(call).clients.find(({ appId }) => appId === call.ids[1])
  if (!client) throw notFound('App not found')
  return client
}

function filterByName<T extends { name: string }>(
  items: T[],
  { queries = [] }: Record<string, unknown>
) {
  return items.filter(({ name }) =>
    (queries as Record<string, unknown>[]).every(({ nameQuery }) => {
      if (!nameQuery) throw invalid('unknown query')
      const filter = setting(nameQuery)
      return matches(name, filter.name, filter.method)
    })
  )
}

function clientResource({ appId, name, clientId, config }: StoredClient) {
  // The provider leaves out default values.
  const set = Object.entries(config).filter(([, value]) => value !== false && value !== '0s')
  const oidcConfig = { ...Object.fromEntries(set), clientId, noneCompliant: false }
  return { id: appId, name, state: 'APP_STATE_ACTIVE', oidcConfig }
}

/** Absent settings get their default, even in an update. */
function readConfig(body: Record<string, unknown>): StoredClient['config'] {
  const unknown = Object.keys(body).filter((name) => !SETTINGS.has(name))
  if (unknown.length > 0) throw invalid(`unknown ${unknown}`)
  const redirectUris = texts(body.redirectUris ?? [])
  const all = [...redirectUris, ...texts(body.postLogoutRedirectUris ?? [])]
  if (all.some((uri) => uri.startsWith('http:')) && body.devMode !== true) {
    throw invalid('http needs devMode')
  }
  return { ...body, redirectUris }
}
