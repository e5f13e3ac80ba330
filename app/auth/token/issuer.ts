import {
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type FlattenedJWSInput,
  createLocalJWKSet,
  errors,
} from 'jose'
import { outboundJson } from '#core/network/outbound_json'

interface Discovery {
  issuer: string
  jwks_uri: string
  userinfo_endpoint?: string
}

interface Loaded {
  discovery: Discovery
  keys: ReturnType<typeof createLocalJWKSet>
  loadedAt: number
}

/** Keys older than this are refreshed behind the request that finds them so. */
const REFRESH_AFTER_MS = 5 * 60_000
/** Keys older than this are not trusted any more: the longest outage that goes unnoticed. */
const EXPIRE_AFTER_MS = 60 * 60_000
/** Unknown key ids ask the issuer again at most this often. */
const COOLDOWN_MS = 30_000
/** An issuer that could not be reached is asked again at most this often. */
const RETRY_AFTER_MS = 1_000

/** A key that is not known, and the issuer was asked too short a time ago to be asked again. */
export class KeyNotLookedUp extends errors.JWKSNoMatchingKey {}

/**
 * The token issuer as its discovery document describes it, with its signing keys (decisions 2.1). A short outage fails
 * no request whose key is known.
 */
export class Issuer {
  #loaded?: Loaded
  #loading?: Promise<Loaded>
  /** The last attempt, when it failed: until the next one, its error speaks for what is not known. */
  #failure?: { error: unknown; at: number }
  #lastUnknownKey = Number.NEGATIVE_INFINITY

  constructor(
    readonly url: string,
    private readonly now: () => number = () => performance.now()
  ) {}

  /**
   * A key lookup for `jose`; asks the issuer once more when the key id is unknown.
   *
   * @throws KeyNotLookedUp during the cooldown
   */
  findKey = async (header: JWTHeaderParameters, token: FlattenedJWSInput) => {
    let known = await this.#current()
    for (;;) {
      try {
        return await known.keys(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        const newer = await this.#newerThan(known)
        if (!newer) throw new KeyNotLookedUp()
        known = newer
      }
    }
  }

  async userinfoEndpoint(): Promise<string | undefined> {
    return (await this.#current()).discovery.userinfo_endpoint
  }

  async #current(): Promise<Loaded> {
    const age = this.#loaded ? this.now() - this.#loaded.loadedAt : Number.POSITIVE_INFINITY
    if (age > EXPIRE_AFTER_MS) return this.#loadUnlessFailing()
    // A failed refresh leaves the known keys in use.
    if (age > REFRESH_AFTER_MS) this.#loadUnlessFailing().catch(() => {})
    return this.#loaded!
  }

  /** Keys that may hold what `known` lacks; undefined during the cooldown. Callers that come together share a request. */
  async #newerThan(known: Loaded): Promise<Loaded | undefined> {
    if (this.#loaded !== known) return this.#loaded
    if (this.#loading) return this.#loading
    if (!this.#failure && this.now() - this.#lastUnknownKey < COOLDOWN_MS) return undefined
    const loading = this.#loadUnlessFailing()
    this.#lastUnknownKey = this.now()
    return loading
  }

  async #loadUnlessFailing(): Promise<Loaded> {
    if (this.#failure && this.now() - this.#failure.at < RETRY_AFTER_MS) throw this.#failure.error
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<Loaded> {
    try {
      const discovery = await fetchDiscovery(this.url)
      const keys = await fetchKeys(discovery.jwks_uri)
      this.#failure = undefined
      return (this.#loaded = { discovery, keys, loadedAt: this.now() })
    } catch (error) {
      this.#failure = { error, at: this.now() }
      throw error
    }
  }
}

/**
 * The issuer's OIDC discovery document.
 *
 * @throws OutboundError, or Error when the document is not the issuer's
 */
export async function fetchDiscovery(issuer: string): Promise<Discovery & Record<string, unknown>> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await outboundJson(url, { author: 'operator' })) as Discovery | null
  if (document?.issuer !== issuer || typeof document.jwks_uri !== 'string') {
    throw new Error('The discovery document is not that of the configured issuer')
  }
  return document as Discovery & Record<string, unknown>
}

async function fetchKeys(url: string) {
  const keys = (await outboundJson(url, { author: 'operator' })) as JSONWebKeySet
  try {
    return createLocalJWKSet(keys)
  } catch (cause) {
    // Not an error of jose's own: that would blame the caller's token.
    throw new Error('The signing keys of the issuer are not a key set', { cause })
  }
}
