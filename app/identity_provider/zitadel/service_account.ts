import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import { ServiceAccountError } from '#app/identity_provider/zitadel/service_account_error'

export interface ServiceAccountSettings {
  token?: string
  /** Path of a private key JWT profile (RFC 7523). */
  keyFile?: string
  issuer: string
}

interface KeyProfile {
  keyId: string
  key: string
  /** Key files of applications have none. */
  userId?: string
}

const SCOPE = 'openid urn:zitadel:iam:org:project:id:zitadel:aud'
const REFRESH_BEFORE_EXPIRY_MS = 60_000

export class ServiceAccount {
  #cached?: { token: string; refreshAt: number }
  /** Shared by concurrent calls. */
  #requesting?: Promise<string>

  constructor(private readonly settings: ServiceAccountSettings) {}

  get isConfigured(): boolean {
    return Boolean(this.settings.token || this.settings.keyFile)
  }

  /** @throws OutboundError, UnusableResponse, ServiceAccountError if no token can be obtained */
  async accessToken(): Promise<string> {
    if (this.settings.token) return this.settings.token
    if (this.#cached && Date.now() < this.#cached.refreshAt) return this.#cached.token
    this.#requesting ??= this.#requestToken().finally(() => {
      this.#requesting = undefined
    })
    return this.#requesting
  }

  /** Discards a rejected token. Returns whether a new one can be requested. */
  discardToken(refused: string): boolean {
    // A concurrent call may have replaced it already.
    if (this.#cached?.token === refused) this.#cached = undefined
    return !this.settings.token
  }

  /** In use now: texts of the provider must not reveal them. */
  get tokens(): string[] {
    return [this.settings.token, this.#cached?.token].filter((token) => token !== undefined)
  }

  async #requestToken(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      scope: SCOPE,
      assertion: await this.#assertion(),
    })
    const issuer = this.settings.issuer.replace(/\/$/, '')
    const response = await outboundJson(`${issuer}/oauth/v2/token`, {
      method: 'POST',
      author: 'operator',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    }).catch(toServiceAccountError)
    const { access_token: token, expires_in: seconds } = (response ?? {}) as Record<string, unknown>
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      throw new UnusableResponse('not_json', 200)
    }
    this.#cached = { token, refreshAt: Date.now() + seconds * 1_000 - REFRESH_BEFORE_EXPIRY_MS }
    return token
  }

  async #assertion() {
    const { keyId, key, userId } = await this.#readKeyFile()
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .setIssuer(userId)
      .setSubject(userId)
      .setAudience(this.settings.issuer)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(key)
  }

  /** Hides the original error, because parsers quote what they read. */
  async #readKeyFile() {
    try {
      const content = await readFile(this.settings.keyFile!, 'utf8')
      const { keyId, key, userId } = JSON.parse(content) as KeyProfile
      if (!keyId || !userId) throw new Error('It names no user')
      return { keyId, userId, key: createPrivateKey(key) }
    } catch {
      throw new ServiceAccountError('key_file')
    }
  }
}

function toServiceAccountError(error: unknown): never {
  const isRefusal = error instanceof UnusableResponse && error.status >= 400 && error.status <= 403
  throw isRefusal ? new ServiceAccountError('token_refused') : error
}
