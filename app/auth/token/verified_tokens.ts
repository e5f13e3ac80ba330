import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

interface Verified<Claims> {
  claims: Claims
  /** The key set with which the token was verified. */
  keys: unknown
}

const MOST_TOKENS = 10_000
/** Of their tokens; the claims take about as much memory. */
const MOST_CHARACTERS = 16_777_216

/**
 * Remembers the claims of verified tokens until the tokens expire or the issuer changes its keys,
 * because verifying a signature takes longer than most requests. Keeps no token, only its digest.
 */
export class VerifiedTokens<Claims extends { exp: number }> {
  readonly #tokens = new LRUCache<string, Verified<Claims>>({
    max: MOST_TOKENS,
    maxSize: MOST_CHARACTERS,
  })

  /** The caller compares the keys with the current ones. */
  get(token: string): Verified<Claims> | undefined {
    const verified = this.#tokens.get(digestOf(token))
    return verified && verified.claims.exp * 1_000 > Date.now() ? verified : undefined
  }

  set(token: string, verified: Verified<Claims>) {
    this.#tokens.set(digestOf(token), verified, { size: token.length })
  }
}

const digestOf = (token: string) => hash('sha256', token, 'base64')
