import { randomBytes } from 'node:crypto'
import { type Call, type Operation, changed, page, text } from '#tests/world/identity_api/operation'
import { invalid, notFound, unchanged } from '#tests/world/identity_api/refusal'
import { type StoredEmailProvider, newId } from '#tests/world/identity_api/state'

const MAX_PAGE = 100
const BY_ID = /^\/admin\/v1\/email\/(\d+)$/
const newKey = () => randomBytes(32).toString('hex')

export interface EmailProviderRules {
  /** If false, the response to adding a provider lacks its key, which can be read later. */
  returnsKeyOnAdding: boolean
  /** If false, providers have no key, as in a version that does not sign. */
  signs: boolean
}

/** See zitadel.md#e-mail-provider-api. */
export const emailProviders = (rules: EmailProviderRules): Record<string, Operation> => ({
  addEmailProvider: {
    method: 'POST',
    path: /^\/admin\/v1\/email\/http$/,
    permission: 'iam.write',
    writes: true,
    run({ state, body }) {
      const http = {
        endpoint: readEndpoint(body),
        ...(rules.signs && { signingKey: newKey() }),
      }
      const id = newId()
      state.emailProviders.set(id, {
        id,
        isActive: false,
        description: text(body, 'description'),
        http,
      })
      const told = rules.returnsKeyOnAdding ? { signingKey: http.signingKey } : {}
      return { ...changed(), id, ...told }
    },
  },
  changeEmailProvider: {
    method: 'PUT',
    path: /^\/admin\/v1\/email\/http\/(\d+)$/,
    permission: 'iam.write',
    writes: true,
    run(call) {
      const provider = requireProvider(call)
      const { body } = call
      const rotates = body.expirationSigningKey !== undefined
      if (rotates && body.expirationSigningKey !== '0s') throw invalid('only "0s" is supported')
      const [endpoint, description] = [readEndpoint(body), text(body, 'description')]
      const isSame = provider.http!.endpoint === endpoint && provider.description === description
      if (isSame && !rotates) throw unchanged('No changes')
      const signingKey = rotates ? newKey() : provider.http!.signingKey
      Object.assign(provider, { description, http: { endpoint, signingKey } })
      return { ...changed(), ...(rotates && { signingKey }) }
    },
  },
  activateEmailProvider: {
    method: 'POST',
    path: /^\/admin\/v1\/email\/(\d+)\/_activate$/,
    permission: 'iam.write',
    writes: true,
    run(call) {
      const provider = requireProvider(call)
      if (provider.isActive) throw unchanged('Already active')
      for (const other of call.state.emailProviders.values()) other.isActive = false
      provider.isActive = true
      return changed()
    },
  },
  deactivateEmailProvider: {
    method: 'POST',
    path: /^\/admin\/v1\/email\/(\d+)\/_deactivate$/,
    permission: 'iam.write',
    writes: true,
    run(call) {
      const provider = requireProvider(call)
      if (!provider.isActive) throw unchanged('Not active')
      provider.isActive = false
      return changed()
    },
  },
  searchEmailProviders: {
    method: 'POST',
    path: /^\/admin\/v1\/email\/_search$/,
    permission: 'iam.read',
    run: ({ state, body }) =>
      page([...state.emailProviders.values()].map(resource), body.query, MAX_PAGE),
  },
  readActiveEmailProvider: {
    method: 'GET',
    path: /^\/admin\/v1\/email$/,
    permission: 'iam.read',
    run({ state }) {
      const active = [...state.emailProviders.values()].find(({ isActive }) => isActive)
      if (!active) throw notFound('No active provider')
      return { config: resource(active) }
    },
  },
  readEmailProvider: {
    method: 'GET',
    path: BY_ID,
    permission: 'iam.read',
    run: (call) => ({ config: resource(requireProvider(call)) }),
  },
  removeEmailProvider: {
    method: 'DELETE',
    path: BY_ID,
    permission: 'iam.write',
    writes: true,
    run(call) {
      call.state.emailProviders.delete(requireProvider(call).id)
      return changed()
    },
  },
})

function requireProvider({ state, ids }: Call) {
  const provider = state.emailProviders.get(ids[0])
  if (!provider) throw notFound('Provider not found')
  return provider
}

function readEndpoint(body: Record<string, unknown>) {
  const endpoint = text(body, 'endpoint', 2_048)
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) throw invalid('invalid endpoint')
  return endpoint
}

function resource({ id, isActive, description, http, smtp }: StoredEmailProvider) {
  const state = isActive ? 'EMAIL_PROVIDER_ACTIVE' : 'EMAIL_PROVIDER_INACTIVE'
  return { details: {}, id, state, description, ...(http ? { http } : { smtp }) }
}
