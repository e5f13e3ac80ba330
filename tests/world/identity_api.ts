import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { type Handler, HttpWorld, sendJson } from '#tests/world/http_server'

export interface StoredProfile {
  givenName?: string
  familyName?: string
  displayName?: string
}

/** What the provider answers instead of changing a name. */
export interface Refusal {
  status: number
  code: number
  message: string
}

const USER_PATH = /^\/v2\/users\/([^/?]+)$/
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const API_SCOPE = 'urn:zitadel:iam:org:project:id:zitadel:aud'

/**
 * The identity provider's API as the provider contract describes it in parts 6.2 and 7, over HTTP and strict about what
 * it takes: names of users, and the token a private key buys. It can refuse, hang, go away and forget its tokens.
 */
export class IdentityApi {
  readonly personalToken = `pat-${randomUUID()}`
  /** Profiles by user id; an unknown user is 404. */
  readonly users = new Map<string, StoredProfile>()
  refusal?: Refusal
  /** Runs before a name is written. */
  beforeWrite: () => Promise<void> = async () => {}
  /** False: sells tokens and accepts none of them. */
  acceptsBoughtTokens = true
  tokensIssued = 0
  tokenLifetimeSeconds = 43_199
  #accepted = new Set([this.personalToken])
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #keyId = '310000000000000001'
  readonly #serviceUserId = '310000000000000002'
  readonly #http: HttpWorld = new HttpWorld((request, response) => {
    const { method, url = '', headers } = request
    const userId = USER_PATH.exec(url)?.[1]
    if (method === 'PATCH' && userId) return this.#changeName(userId, headers, response)
    return refuse(response, { status: 404, code: 5, message: 'Not Found' })
  })

  get url() {
    return this.#http.url
  }

  get requests() {
    return this.#http.requests
  }

  async start() {
    await this.#http.start()
    return this
  }

  stop() {
    return this.#http.stop()
  }

  /** Accepts no token that a private key bought so far. */
  forgetTokens() {
    this.#accepted = new Set([this.personalToken])
  }

  /** The key file of the service account, as the provider hands it out; answers its path. */
  writeKeyFile(): string {
    const file = join(mkdtempSync(join(tmpdir(), 'concierge-key-')), 'key.json')
    const key = this.#keys.privateKey.export({ type: 'pkcs1', format: 'pem' })
    const content = { type: 'serviceaccount', keyId: this.#keyId, key, userId: this.#serviceUserId }
    writeFileSync(file, JSON.stringify(content))
    return file
  }

  /** `POST {issuer}/oauth/v2/token`, for the issuer that serves it. */
  tokenEndpoint(issuer: { url: string; requests: { body: string }[] }): Handler {
    return async (request, response) => {
      if (request.url !== '/oauth/v2/token') return sendJson(response, {}, 404)
      const body = new URLSearchParams(issuer.requests.at(-1)!.body)
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      const scopes = body.get('scope')?.split(' ') ?? []
      const isBought =
        isForm &&
        body.get('grant_type') === GRANT_TYPE &&
        scopes.includes('openid') &&
        scopes.includes(API_SCOPE) &&
        (await this.#isOurs(body.get('assertion') ?? '', issuer.url))
      if (!isBought) return sendJson(response, { error: 'invalid_request' }, 400)
      const token = `at-${++this.tokensIssued}-${randomUUID()}`
      if (this.acceptsBoughtTokens) this.#accepted.add(token)
      const expires = { token_type: 'Bearer', expires_in: this.tokenLifetimeSeconds }
      return sendJson(response, { access_token: token, ...expires })
    }
  }

  async #isOurs(assertion: string, issuer: string) {
    try {
      const { payload, protectedHeader } = await jwtVerify(assertion, this.#keys.publicKey, {
        algorithms: ['RS256'],
        audience: issuer,
        issuer: this.#serviceUserId,
        subject: this.#serviceUserId,
        maxTokenAge: '1h',
      })
      return protectedHeader.kid === this.#keyId && payload.exp! - payload.iat! <= 3_600
    } catch {
      return false
    }
  }

  async #changeName(
    userId: string,
    headers: { 'authorization'?: string; 'content-type'?: string },
    response: ServerResponse
  ) {
    if (!this.#accepted.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      return refuse(response, { status: 401, code: 16, message: 'auth header missing' })
    }
    if (this.refusal) return refuse(response, this.refusal)
    const stored = this.users.get(userId)
    if (!stored) return refuse(response, { status: 404, code: 5, message: 'User not found' })
    const profile = profileIn(this.requests.at(-1)!.body)
    const isTyped = headers['content-type'] === 'application/json'
    if (!isTyped || !profile) return refuse(response, { status: 400, code: 3, message: 'invalid' })
    await this.beforeWrite()
    const written = { ...stored, ...profile }
    if (JSON.stringify(written) === JSON.stringify(stored)) {
      return refuse(response, { status: 400, code: 9, message: 'Profile not changed' })
    }
    this.users.set(userId, written)
    return sendJson(response, { changeDate: new Date().toISOString() })
  }
}

function refuse(response: ServerResponse, { status, code, message }: Refusal) {
  return sendJson(response, { code, message, details: [] }, status)
}

/** The names of a partial update; nothing for a body the provider would not take. */
function profileIn(body: string): StoredProfile | undefined {
  const profile: Record<string, unknown> | undefined = JSON.parse(body)?.human?.profile
  const names = Object.entries(profile ?? {})
  const areNames = names.every(
    ([name, value]) =>
      ['givenName', 'familyName', 'displayName'].includes(name) &&
      typeof value === 'string' &&
      value.length >= 1 &&
      value.length <= 200
  )
  return names.length > 0 && areNames && profile?.displayName !== undefined ? profile : undefined
}
