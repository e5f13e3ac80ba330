import type { IncomingMessage, ServerResponse } from 'node:http'
import { branding } from '#tests/world/identity_api/branding'
import { type EmailProviderRules, emailProviders } from '#tests/world/identity_api/email_providers'
import { type Fault, Faults } from '#tests/world/identity_api/faults'
import type { Call, Operation } from '#tests/world/identity_api/operation'
import { organisations } from '#tests/world/identity_api/organisations'
import { projects } from '#tests/world/identity_api/projects'
import {
  type Refusal,
  Refused,
  denied,
  invalid,
  notFound,
  unauthenticated,
} from '#tests/world/identity_api/refusal'
import { type StoredUser, emptyState, newId } from '#tests/world/identity_api/state'
import { Tokens } from '#tests/world/identity_api/tokens'
import { users } from '#tests/world/identity_api/users'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'

const TOKEN_PATH = '/oauth/v2/token'

/**
 * A stateful stand-in for the identity provider's API, with strict validation
 * (zitadel.md#common-rules). It can refuse, lag behind its writes, hang, and drop connections at
 * any call, before or after it took effect.
 */
export class IdentityApi {
  readonly state = emptyState()
  readonly tokens = new Tokens()
  readonly rules: EmailProviderRules = { returnsKeyOnAdding: true, signs: true }
  /** Permissions that the service account lacks. */
  readonly denied = new Set<string>()
  /** Operations missing from this version of the provider. */
  readonly unknown = new Set<string>()
  /** The response to every call. */
  refusal?: Refusal
  /** Runs before every write. */
  beforeWrite: () => Promise<void> = async () => {}
  /** The number of reads after a write that do not see it yet. */
  lag = 0
  readonly ownOrganisation = this.addOrganisation({ name: 'Platform' }).id
  readonly #faults = new Faults()
  readonly #operations = Object.entries<Operation>({
    ...users,
    ...organisations,
    ...branding,
    ...projects,
    ...emailProviders(this.rules),
  })
  #staleState = this.state
  #staleReads = 0
  readonly #http: TestHttpServer = new TestHttpServer((request, response) => {
    if (request.url === TOKEN_PATH) return this.#issueToken(request, response, this.url)
    return this.#answer(request, response)
  })

  get url() {
    return this.#http.url
  }

  get requests() {
    return this.#http.requests
  }

  /** Operations called since the last `fault`, `token` among them. */
  get operations(): readonly string[] {
    return this.#faults.seen
  }

  get faultHappened() {
    return this.#faults.happened
  }

  get personalToken() {
    return this.tokens.personal
  }

  get emailProviders() {
    return [...this.state.emailProviders.values()]
  }

  async start() {
    await this.#http.start()
    return this
  }

  stop() {
    return this.#http.stop()
  }

  /** Makes a call fail; without an argument, none does. */
  fault(fault?: Fault) {
    this.#faults.set(fault)
  }

  writeKeyFile() {
    return this.tokens.writeKeyFile()
  }

  addOrganisation({ name, domain }: { name: string; domain?: string }) {
    const id = newId()
    const organisation = { id, name, domains: domain ? [domain] : [], state: 'ACTIVE' as const }
    this.state.organisations.set(id, organisation)
    return organisation
  }

  addUser(fields: Partial<StoredUser> = {}): StoredUser {
    const userId = fields.userId ?? newId()
    const email = fields.email ?? `user-${userId}@tests.example`
    const creationDate = fields.creationDate ?? new Date().toISOString()
    const user: StoredUser = {
      userId,
      orgId: this.ownOrganisation,
      kind: 'human',
      state: 'ACTIVE',
      username: email,
      email,
      isVerified: true,
      profile: { givenName: 'Old', familyName: 'Name', displayName: 'Old Name' },
      creationDate,
      changeDate: creationDate,
      ...fields,
    }
    this.state.users.set(userId, user)
    return user
  }

  /** Serves `POST {issuer}/oauth/v2/token` for another issuer. */
  tokenEndpoint(issuer: { url: string }): Handler {
    return (request, response) =>
      request.url === TOKEN_PATH
        ? this.#issueToken(request, response, issuer.url)
        : sendJson(response, {}, 404)
  }

  #issueToken(request: IncomingMessage, response: ServerResponse, issuer: string) {
    return this.#respondWithFaults('token', response, async () => {
      const contentType = request.headers['content-type']
      const body = bodyOf(request).toString()
      const token = await this.tokens.issue(body, contentType, issuer)
      return token ? { body: token } : { status: 400, body: { error: 'invalid_grant' } }
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse) {
    const path = (request.url ?? '').split('?')[0]
    const [name, operation] = this.#operations.find(
      ([, { method, path: pattern }]) => method === request.method && pattern.test(path)
    ) ?? ['unknown', undefined]
    return this.#respondWithFaults(name, response, async () => {
      try {
        if (!operation || this.unknown.has(name)) throw notFound('Not Found')
        return { status: operation.status, body: await this.#run(operation, path, request) }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const { status, code, message } = error.refusal
        return { status, body: { code, message, details: [] } }
      }
    })
  }

  async #respondWithFaults(
    name: string,
    response: ServerResponse,
    work: () => Promise<{ status?: number; body: unknown }>
  ) {
    const fault = this.#faults.next(name)
    if (fault?.when === 'before') return failRequest(response, fault)
    const { status, body } = await work()
    if (fault) return failRequest(response, fault)
    return sendJson(response, body, status)
  }

  async #run(operation: Operation, path: string, request: IncomingMessage) {
    const { headers } = request
    if (!this.tokens.accepts(headers.authorization)) throw unauthenticated('auth header missing')
    if (this.refusal) throw new Refused(this.refusal)
    if (this.denied.has(operation.permission)) throw denied('No matching permissions found')
    if (operation.writes) {
      await this.beforeWrite()
      if (this.#staleReads === 0) this.#staleState = structuredClone(this.state)
      this.#staleReads = this.lag
    }
    const isStale = !operation.writes && this.#staleReads > 0
    if (isStale) this.#staleReads -= 1
    const contentType = headers['content-type'] ?? ''
    const raw = bodyOf(request)
    const call: Call = {
      state: isStale ? this.#staleState : this.state,
      ids: operation.path.exec(path)!.slice(1).map(decodeURIComponent),
      orgId: String(headers['x-zitadel-orgid'] ?? this.ownOrganisation),
      body: operation.takes === 'form' ? {} : parseJson(raw, contentType),
      raw,
      contentType,
    }
    return operation.run(call)
  }
}

const bodyOf = (request: IncomingMessage) => TestHttpServer.bodyOf(request)

function parseJson(raw: Buffer, contentType: string): Record<string, unknown> {
  if (raw.length === 0) return {}
  if (contentType !== 'application/json') throw invalid('not JSON')
  return JSON.parse(raw.toString())
}

function failRequest(response: ServerResponse, { how }: Fault) {
  if (how === 'die') return response.destroy()
  if (how === 'hang') return undefined
  return sendJson(response, { code: 13, message: 'An internal error', details: [] }, how)
}
