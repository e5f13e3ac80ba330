import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { InvalidToken } from '#app/auth/exceptions'
import type { Issuer } from '#app/auth/token/issuer'

export type Claims = Record<string, unknown>

const MAX_AGE_MS = 5 * 60_000

/** Caches claims for five minutes, by token digest (authentication.md#userinfo). */
export class Userinfo {
  readonly #issuer: Issuer
  readonly #cache: LRUCache<string, Claims>
  /** Concurrent requests with the same new token share one call. */
  readonly #pending = new Map<string, Promise<Claims>>()

  /** @param clock in milliseconds */
  constructor(issuer: Issuer, clock: { now(): number } = performance) {
    this.#issuer = issuer
    this.#cache = new LRUCache({ max: 10_000, ttl: MAX_AGE_MS, ttlResolution: 0, perf: clock })
  }

  /** @throws InvalidToken when the issuer rejects the token, UpstreamUnreachable */
  async of(token: string, subject: string, expiresAt: number): Promise<Claims> {
    const digest = createHash('sha256').update(token).digest('base64')
    const cached = this.#cache.get(digest) ?? this.#pending.get(digest)
    if (cached) return cached
    const pending = this.#ask(token, subject).finally(() => this.#pending.delete(digest))
    this.#pending.set(digest, pending)
    const claims = await pending
    const ttl = Math.min(MAX_AGE_MS, expiresAt * 1000 - Date.now())
    if (ttl > 0) this.#cache.set(digest, claims, { ttl })
    return claims
  }

  async #ask(token: string, subject: string): Promise<Claims> {
    const claims = await this.#fetch(token)
    // OpenID Connect Core 5.3.2: claims about another subject must not be used.
    if (claims && claims.sub !== subject) {
      throw new InvalidToken('Userinfo returned another subject')
    }
    return claims ?? {}
  }

  async #fetch(token: string): Promise<Claims | null> {
    try {
      const endpoint = await this.#issuer.userinfoEndpoint()
      if (!endpoint) return null
      const headers = { authorization: `Bearer ${token}` }
      const claims = await outboundJson(endpoint, { author: 'operator', headers })
      return typeof claims === 'object' && claims !== null ? (claims as Claims) : {}
    } catch (error) {
      const refused = error instanceof UnusableResponse && [401, 403].includes(error.status)
      if (refused) throw new InvalidToken('The issuer rejected the token', error)
      throw new UpstreamUnreachable({
        detail: 'The userinfo endpoint cannot be reached',
        cause: error,
      })
    }
  }
}
