import { createHash } from 'node:crypto'
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { normalizeEmail } from '#core/values/email'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'

export const AUDIENCE = 'concierge-tests'

export interface TokenOptions {
  /** Claims to add or replace; undefined removes one. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

/** A token issuer over HTTP, with discovery, rotating keys, userinfo and outages. */
export class TestIssuer {
  readonly #http: TestHttpServer = new TestHttpServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      return sendJson(response, this.#discovery())
    }
    if (request.url === '/keys') return sendJson(response, { keys: this.publicKeys })
    if (request.url === '/userinfo') {
      const { status, body } = this.userinfo(request.headers.authorization ?? '')
      return sendJson(response, body, status)
    }
    return this.fallback(request, response)
  })
  /** The handler of all other requests; a test may replace it. */
  fallback: Handler = (_, response) => sendJson(response, {}, 404)
  /** The response of `/userinfo`; a test may replace it. */
  userinfo: (authorization: string) => { status: number; body: unknown } = () => ({
    status: 404,
    body: {},
  })
  /** Members to add to the discovery document. */
  endpoints: (url: string) => Record<string, string> = () => ({})
  publicKeys: JWK[] = []
  #key!: CryptoKey
  #keyNumber = 0
  /** By address, signed with the present key. */
  readonly #reused = new Map<string, Promise<string>>()

  get url(): string {
    return this.#http.url
  }

  get requests() {
    return this.#http.requests
  }

  async start() {
    await this.rotate()
    await this.#http.start()
    return this
  }

  stop() {
    return this.#http.stop()
  }

  /** Listens on the same address as before `stop`. */
  resume() {
    return this.#http.start()
  }

  /** Signs with a new key and withdraws the former ones. */
  async rotate() {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = `key-${++this.#keyNumber}`
    this.publicKeys = [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }]
    this.#key = privateKey
    this.#reused.clear()
  }

  /** The same token each time, because signing is slow. */
  reusedToken(email: string): Promise<string> {
    const token = this.#reused.get(email) ?? this.token(email)
    this.#reused.set(email, token)
    return token
  }

  /** A token like the real provider's, unless `options` say otherwise. */
  async token(email: string, { claims = {}, header = {}, key }: TokenOptions = {}) {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: this.url,
      aud: [AUDIENCE],
      sub: subjectOf(email),
      iat: now,
      exp: now + 3600,
      email,
      email_verified: true,
      ...claims,
    }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: `key-${this.#keyNumber}`, typ: 'JWT', ...header })
      .sign(key ?? this.#key)
  }

  #discovery() {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/keys`,
      userinfo_endpoint: `${this.url}/userinfo`,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      ...this.endpoints(this.url),
    }
  }
}

/** The user id of an address, in any spelling, with digits like the real provider's. */
export function subjectOf(email: string) {
  const digest = createHash('sha256')
    .update(normalizeEmail(email) ?? email)
    .digest()
  return String(digest.readBigUInt64BE() % 10n ** 18n).padStart(18, '1')
}
