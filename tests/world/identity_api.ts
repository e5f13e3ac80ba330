import type { IncomingMessage, ServerResponse } from 'node:http'
import { IdentityProviderApi, type NamedOperation } from '#development/identity_provider/api/api'
import { type Refusal, Refused, denied, notFound } from '#development/identity_provider/api/refusal'
import {
  type StoredUser,
  emptyState,
  newId,
  newUser,
} from '#development/identity_provider/api/state'
import { type Fault, Faults } from '#tests/world/identity_api/faults'
import { Tokens } from '#tests/world/identity_api/tokens'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'

const TOKEN_PATH = '/oauth/v2/token'

/**
 * The stand-in for the identity provider's API, which can also refuse, lag behind its writes, hang,
 * and drop connections at any call, before or after it took effect.
 */
export class IdentityApi extends IdentityProviderApi {
  readonly state = emptyState()
  readonly tokens = new Tokens()
  /** Permissions that the service account lacks. */
  readonly denied = new Set<string>()
  /** Operations missing from this version of the provider. */
  readonly unknown = new Set<string>()
  /** The response to every call. */
  refusal?: Refusal
  /** Run before every write, and every read. */
  beforeWrite: () => Promise<void> = async () => {}
  beforeRead: () => Promise<void> = async () => {}
  /** The number of reads after a write that do not see it yet. */
  lag = 0
  override readonly ownOrganisation = this.addOrganisation({ name: 'Platform' }).id
  readonly #faults = new Faults()
  #staleState = this.state
  #staleReads = 0
  readonly #http: TestHttpServer = new TestHttpServer((request, response) => {
    if (request.url === TOKEN_PATH) return this.#issueToken(request, response, this.url)
    return this.#respond(request, response)
  })

  get url() {
    return this.#http.url
  }

  get origin() {
    return this.url
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
    const user = newUser({ orgId: this.ownOrganisation, ...fields })
    this.state.users.set(user.userId, user)
    return user
  }

  /** Serves `POST {issuer}/oauth/v2/token` for another issuer. */
  tokenEndpoint(issuer: { url: string }): Handler {
    return (request, response) =>
      request.url === TOKEN_PATH
        ? this.#issueToken(request, response, issuer.url)
        : sendJson(response, {}, 404)
  }

  protected override accepts(authorization: string | undefined) {
    return this.tokens.accepts(authorization)
  }

  protected override async admit({ name, permission, writes }: NamedOperation) {
    if (this.unknown.has(name)) throw notFound('Not Found')
    if (this.refusal) throw new Refused(this.refusal)
    if (this.denied.has(permission)) throw denied('No matching permissions found')
    await (writes ? this.beforeWrite() : this.beforeRead())
  }

  protected override read({ writes }: NamedOperation) {
    if (writes) {
      if (this.#staleReads === 0) this.#staleState = structuredClone(this.state)
      this.#staleReads = this.lag
      return this.state
    }
    if (this.#staleReads === 0) return this.state
    this.#staleReads -= 1
    return this.#staleState
  }

  protected override save() {}

  #issueToken(request: IncomingMessage, response: ServerResponse, issuer: string) {
    return this.#respondWithFaults('token', response, async () => {
      const contentType = request.headers['content-type']
      const body = TestHttpServer.bodyOf(request).toString()
      const token = await this.tokens.issue(body, contentType, issuer)
      return token
        ? { status: 200, body: token }
        : { status: 400, body: { error: 'invalid_grant' } }
    })
  }

  #respond(request: IncomingMessage, response: ServerResponse) {
    const { method, url, headers } = request
    const call = { method, url, headers, body: TestHttpServer.bodyOf(request) }
    const name = IdentityProviderApi.operation(call)?.name ?? 'unknown'
    return this.#respondWithFaults(name, response, () => this.respond(call))
  }

  async #respondWithFaults(
    name: string,
    response: ServerResponse,
    work: () => Promise<{ status: number; body: unknown }>
  ) {
    const fault = this.#faults.next(name)
    if (fault?.when === 'before') return failRequest(response, fault)
    const { status, body } = await work()
    if (fault) return failRequest(response, fault)
    return sendJson(response, body, status)
  }
}

function failRequest(response: ServerResponse, { how }: Fault) {
  if (how === 'die') return response.destroy()
  if (how === 'hang') return undefined
  if (how === 'empty') return response.end()
  return sendJson(response, { code: 13, message: 'An internal error', details: [] }, how)
}
