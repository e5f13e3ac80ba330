import { randomBytes } from 'node:crypto'
import { type Call, type Operation, type PageQuery, changed, operation, page } from './operation.ts'
import { invalid, notFound, unchanged } from './refusal.ts'
import { NAME, NOTHING, PAGE, object } from './schema.ts'
import { type StoredEmailProvider, newId } from './state.ts'

const BY_ID = /^\/admin\/v1\/email\/(\d+)$/
const PROVIDER = { endpoint: { type: 'string', maxLength: 2_048 }, description: NAME }
const REQUIRED = Object.keys(PROVIDER)

interface ProviderBody {
  endpoint: string
  description: string
}

const newKey = () => randomBytes(32).toString('hex')

/** See zitadel.md#e-mail-provider-api. */
export const emailProviders: Record<string, Operation> = {
  addEmailProvider: operation<ProviderBody>({
    method: 'POST',
    path: /^\/admin\/v1\/email\/http$/,
    permission: 'iam.write',
    writes: true,
    takes: object(PROVIDER, REQUIRED),
    run({ state, body: { endpoint, description }, version }) {
      requireUrl(endpoint)
      const id = newId()
      const signingKey = version.signs ? newKey() : undefined
      const http = { endpoint, signingKey }
      state.emailProviders.set(id, { id, isActive: false, description, http })
      return { ...changed(), id, ...(version.returnsKeyOnAdding && { signingKey }) }
    },
  }),
  changeEmailProvider: operation<ProviderBody & { expirationSigningKey?: string }>({
    method: 'PUT',
    path: /^\/admin\/v1\/email\/http\/(\d+)$/,
    permission: 'iam.write',
    writes: true,
    takes: object({ ...PROVIDER, expirationSigningKey: { type: 'string' } }, REQUIRED),
    run(call) {
      const provider = requireProvider(call)
      const { endpoint, description, expirationSigningKey } = call.body
      requireUrl(endpoint)
      const rotates = expirationSigningKey !== undefined
      if (rotates && expirationSigningKey !== '0s') throw invalid('only "0s" is supported')
      const isSame = provider.http!.endpoint === endpoint && provider.description === description
      if (isSame && !rotates) throw unchanged('No changes')
      const signingKey = rotates ? newKey() : provider.http!.signingKey
      Object.assign(provider, { description, http: { endpoint, signingKey } })
      return { ...changed(), ...(rotates && { signingKey }) }
    },
  }),
  activateEmailProvider: operation({
    method: 'POST',
    path: /^\/admin\/v1\/email\/(\d+)\/_activate$/,
    permission: 'iam.write',
    writes: true,
    takes: NOTHING,
    run(call) {
      const provider = requireProvider(call)
      if (provider.isActive) throw unchanged('Already active')
      for (const other of call.state.emailProviders.values()) other.isActive = false
      provider.isActive = true
      return changed()
    },
  }),
  deactivateEmailProvider: operation({
    method: 'POST',
    path: /^\/admin\/v1\/email\/(\d+)\/_deactivate$/,
    permission: 'iam.write',
    writes: true,
    takes: NOTHING,
    run(call) {
      const provider = requireProvider(call)
      if (!provider.isActive) throw unchanged('Not active')
      provider.isActive = false
      return changed()
    },
  }),
  searchEmailProviders: operation<{ query?: PageQuery }>({
    method: 'POST',
    path: /^\/admin\/v1\/email\/_search$/,
    permission: 'iam.read',
    takes: object({ query: PAGE }),
    run: ({ state, body }) => page([...state.emailProviders.values()].map(resource), body.query),
  }),
  readActiveEmailProvider: operation({
    method: 'GET',
    path: /^\/admin\/v1\/email$/,
    permission: 'iam.read',
    run({ state }) {
      const active = [...state.emailProviders.values()].find(({ isActive }) => isActive)
      if (!active) throw notFound('No active provider')
      return { config: resource(active) }
    },
  }),
  readEmailProvider: operation({
    method: 'GET',
    path: BY_ID,
    permission: 'iam.read',
    run: (call) => ({ config: resource(requireProvider(call)) }),
  }),
  removeEmailProvider: operation({
    method: 'DELETE',
    path: BY_ID,
    permission: 'iam.write',
    writes: true,
    run(call) {
      call.state.emailProviders.delete(requireProvider(call).id)
      return changed()
    },
  }),
}

function requireProvider({ state, ids }: Pick<Call, 'state' | 'ids'>) {
  const provider = state.emailProviders.get(ids[0])
  if (!provider) throw notFound('Provider not found')
  return provider
}

function requireUrl(endpoint: string) {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) throw invalid('invalid endpoint')
}

function resource({ id, isActive, description, http, smtp }: StoredEmailProvider) {
  const state = isActive ? 'EMAIL_PROVIDER_ACTIVE' : 'EMAIL_PROVIDER_INACTIVE'
  return { details: {}, id, state, description, ...(http ? { http } : { smtp }) }
}
