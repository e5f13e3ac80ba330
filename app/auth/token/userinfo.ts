import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { UnusableAnswer, outboundJson } from '#core/network/outbound_json'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { InvalidToken } from '#app/auth/exceptions'
import type { Issuer } from '#app/auth/token/issuer'

export type Claims = Record<string, unknown>

const MAX_AGE_MS = 5 * 60_000

/**
 * What the issuer's userinfo endpoint says of a token, remembered until the token expires, at most five minutes
 * (authentication.md#userinfo). Tokens are kept as digests only.
 */
export class Userinfo {
  readonly #issuer: Issuer
  readonly #answers: LRUCache<string, Claims>
  /** Requests of one browser come together with the same new token: they share a question. */
  readonly #asking = new Map<string, Promise<Claims>>()

  /** @param clock milliseconds, for how long an answer is remembered */
  constructor(issuer: Issuer, clock: { now(): number } = performance) {
    this.#issuer = issuer
    this.#answers = new LRUCache({ max: 10_000, ttl: MAX_AGE_MS, ttlResolution: 0, perf: clock })
  }

  /**
   * @param expiresAt the token's `exp`, in seconds
   * @throws InvalidToken when the issuer refuses the token, UpstreamUnreachable when it cannot be asked
   */
  async of(token: string, subject: string, expiresAt: number): Promise<Claims> {
    const digest = createHash('sha256').update(token).digest('base64')
    const known = this.#answers.get(digest) ?? this.#asking.get(digest)
    if (known) return known
    const asking = this.#ask(token, subject).finally(() => this.#asking.delete(digest))
    this.#asking.set(digest, asking)
    const claims = await asking
    const ttl = Math.min(MAX_AGE_MS, expiresAt * 1000 - Date.now())
    if (ttl > 0) this.#answers.set(digest, claims, { ttl })
    return claims
  }

  async #ask(token: string, subject: string): Promise<Claims> {
    const claims = await this.#fetch(token)
    // OpenID Connect Core 5.3.2: an answer about somebody else must not be used.
    if (claims && claims.sub !== subject) {
      throw new InvalidToken('Userinfo speaks of another subject')
    }
    return claims ?? {}
  }

  /** Null when the issuer has no such endpoint. */
  async #fetch(token: string): Promise<Claims | null> {
    try {
      const endpoint = await this.#issuer.userinfoEndpoint()
      if (!endpoint) return null
      const headers = { authorization: `Bearer ${token}` }
      const claims = await outboundJson(endpoint, { author: 'operator', headers })
      return typeof claims === 'object' && claims !== null ? (claims as Claims) : {}
    } catch (error) {
      const refused = error instanceof UnusableAnswer && [401, 403].includes(error.status)
      if (refused) throw new InvalidToken('The issuer refuses this token', error)
      throw new UpstreamUnreachable({ detail: 'Userinfo cannot be reached', cause: error })
    }
  }
}
