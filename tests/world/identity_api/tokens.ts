import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const API_SCOPE = 'urn:zitadel:iam:org:project:id:zitadel:aud'

/** See zitadel.md#service-account. */
export class Tokens {
  readonly personal = `pat-${randomUUID()}`
  /** If false, issued tokens are rejected. */
  acceptsIssued = true
  issued = 0
  lifetimeSeconds = 43_199
  #accepted = new Set([this.personal])
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #keyId = '310000000000000001'
  readonly #serviceUserId = '310000000000000002'

  accepts(authorization: string | undefined) {
    return this.#accepted.has(authorization?.replace(/^Bearer /, '') ?? '')
  }

  /** Rejects all tokens issued so far. */
  revokeIssued() {
    this.#accepted = new Set([this.personal])
  }

  /** Returns the path of a new key file. */
  writeKeyFile(): string {
    const file = join(mkdtempSync(join(tmpdir(), 'concierge-key-')), 'key.json')
    const key = this.#keys.privateKey.export({ type: 'pkcs1', format: 'pem' })
    const content = { type: 'serviceaccount', keyId: this.#keyId, key, userId: this.#serviceUserId }
    writeFileSync(file, JSON.stringify(content))
    return file
  }

  /** Undefined unless the assertion is valid for this issuer. */
  async issue(form: string, contentType: string | undefined, issuer: string) {
    const body = new URLSearchParams(form)
    const scopes = body.get('scope')?.split(' ') ?? []
    const isValidRequest =
      contentType === 'application/x-www-form-urlencoded' &&
      body.get('grant_type') === GRANT_TYPE &&
      scopes.includes('openid') &&
      scopes.includes(API_SCOPE)
    if (!isValidRequest || !(await this.#isValidAssertion(body.get('assertion') ?? '', issuer)))
      return undefined
    const token = `at-${++this.issued}-${randomUUID()}`
    if (this.acceptsIssued) this.#accepted.add(token)
    return { access_token: token, token_type: 'Bearer', expires_in: this.lifetimeSeconds }
  }

  async #isValidAssertion(assertion: string, issuer: string) {
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
}
