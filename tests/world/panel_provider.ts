import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { TestIssuer } from '#tests/world/issuer'

/** The client id of the panel. */
export const PANEL_CLIENT = 'concierge-panel'

interface Grant {
  email: string
  nonce?: string
  claims: Record<string, unknown>
}

/** Instead of the usual response. */
export type Behaviour =
  'usual' | 'hangs' | 'waits' | { status: number; body: unknown; headers?: Record<string, string> }

const random = () => randomBytes(16).toString('base64url')

/** A provider that issues tokens to the panel, and can hang, refuse and change accounts. */
export class PanelProvider {
  readonly issuer = new TestIssuer()
  token: Behaviour = 'usual'
  revocation: Behaviour = 'usual'
  /** Of the access tokens, in seconds. */
  lifetime = 3_600
  /** What `expires_in` says, if it differs. */
  statedLifetime: number | undefined
  /** Claims of the tokens that a renewal issues. */
  renewedClaims: Record<string, unknown> = {}
  /** Claims of the ID tokens that a renewal issues. */
  renewedIdClaims: Record<string, unknown> = {}
  readonly revoked: string[] = []
  readonly exchanged: string[] = []
  readonly refreshed: string[] = []
  readonly issued: string[] = []
  readonly #codes = new Map<string, Grant>()
  readonly #grants = new Map<string, Grant>()
  #waiting: (() => Promise<unknown>)[] = []
  readonly #hanging: ServerResponse[] = []

  async start() {
    this.issuer.fallback = (request, response) => {
      const form = new URLSearchParams(TestHttpServer.bodyOf(request).toString())
      if (request.url === '/token')
        return this.#respond(this.token, response, () => this.#issue(form))
      if (request.url === '/revoke') {
        return this.#respond(this.revocation, response, async () => {
          this.revoked.push(form.get('token')!)
          return {}
        })
      }
      return sendJson(response, {}, 404)
    }
    this.issuer.endpoints = (url) => ({
      revocation_endpoint: `${url}/revoke`,
      end_session_endpoint: `${url}/end`,
    })
    await this.issuer.start()
    return this
  }

  stop() {
    return this.issuer.stop()
  }

  /** Behaves as usual from now on, and ends what hangs. */
  recover() {
    this.token = this.revocation = 'usual'
    for (const response of this.#hanging.splice(0)) response.destroy()
  }

  /** Answers what waits. */
  async release() {
    this.token = this.revocation = 'usual'
    await Promise.all(this.#waiting.splice(0).map((answer) => answer()))
  }

  /** The code with which someone comes back to the panel. */
  code(email: string, nonce: string, claims: Record<string, unknown> = {}): string {
    const code = random()
    this.#codes.set(code, { email, nonce, claims })
    return code
  }

  #respond(behaviour: Behaviour, response: ServerResponse, usual: () => Promise<unknown>) {
    if (behaviour === 'waits') return this.#waiting.push(() => this.#send(response, usual))
    if (behaviour === 'hangs') return this.#hanging.push(response)
    if (behaviour === 'usual') return this.#send(response, usual)
    for (const [name, value] of Object.entries(behaviour.headers ?? {})) {
      response.setHeader(name, value)
    }
    return sendJson(response, behaviour.body, behaviour.status)
  }

  async #send(response: ServerResponse, usual: () => Promise<unknown>) {
    const body = await usual()
    return body === null
      ? sendJson(response, { error: 'invalid_grant' }, 400)
      : sendJson(response, body)
  }

  async #issue(form: URLSearchParams) {
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code')!
      this.exchanged.push(code)
      const grant = this.#codes.get(code)
      this.#codes.delete(code)
      return grant ? this.#tokens(grant, {}) : null
    }
    const token = form.get('refresh_token')!
    this.refreshed.push(token)
    const grant = this.#grants.get(token)
    this.#grants.delete(token)
    if (!grant) return null
    const { nonce, ...owner } = grant
    const claims = { ...owner.claims, ...this.renewedClaims }
    return this.#tokens({ ...owner, claims }, this.renewedIdClaims)
  }

  async #tokens(grant: Grant, idClaims: Record<string, unknown>) {
    const { email, nonce, claims } = grant
    const refreshToken = random()
    this.#grants.set(refreshToken, { email, claims })
    this.issued.push(refreshToken)
    const exp = Math.floor(Date.now() / 1_000) + this.lifetime
    return {
      access_token: await this.issuer.token(email, { claims: { exp, jti: random(), ...claims } }),
      id_token: await this.issuer.token(email, {
        claims: { aud: PANEL_CLIENT, ...(nonce && { nonce }), ...claims, ...idClaims },
      }),
      token_type: 'Bearer',
      expires_in: this.statedLifetime ?? this.lifetime,
      refresh_token: refreshToken,
    }
  }
}
