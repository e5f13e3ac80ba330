import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { outboundJson } from '#core/network/outbound_json'

export interface ServiceAccountSettings {
  /** Personal access token, used as it is. */
  token?: string
  /** Path of a private-key JWT profile (RFC 7523), as the provider hands it out. */
  keyFile?: string
  issuer: string
}

interface KeyProfile {
  keyId: string
  key: string
  userId: string
}

const SCOPE = 'openid urn:zitadel:iam:org:project:id:zitadel:aud'
const REFRESH_BEFORE_EXPIRY_MS = 60_000

/**
 * The credentials under which this service calls the identity provider's API (provider contract, part 7).
 */
export class ServiceAccount {
  #cached?: { token: string; refreshAt: number }

  constructor(private readonly settings: ServiceAccountSettings) {}

  get isConfigured(): boolean {
    return Boolean(this.settings.token || this.settings.keyFile)
  }

  /** @throws OutboundError, UnusableAnswer when a token must be fetched and cannot be */
  async accessToken(): Promise<string> {
    if (this.settings.token) return this.settings.token
    if (this.#cached && Date.now() < this.#cached.refreshAt) return this.#cached.token
    const answer = await this.#requestToken()
    this.#cached = {
      token: answer.access_token,
      refreshAt: Date.now() + answer.expires_in * 1000 - REFRESH_BEFORE_EXPIRY_MS,
    }
    return this.#cached.token
  }

  /** Forgets a token the provider no longer accepts; says whether asking for another makes sense. */
  renew(): boolean {
    this.#cached = undefined
    return !this.settings.token
  }

  async #requestToken() {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      scope: SCOPE,
      assertion: await this.#assertion(),
    })
    const issuer = this.settings.issuer.replace(/\/$/, '')
    const answer = await outboundJson(`${issuer}/oauth/v2/token`, {
      method: 'POST',
      author: 'operator',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    })
    return answer as { access_token: string; expires_in: number }
  }

  async #assertion() {
    const { keyId, key, userId } = JSON.parse(
      await readFile(this.settings.keyFile!, 'utf8')
    ) as KeyProfile
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .setIssuer(userId)
      .setSubject(userId)
      .setAudience(this.settings.issuer)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(createPrivateKey(key))
  }
}
