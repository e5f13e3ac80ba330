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

type KeySet = ReturnType<typeof createLocalJWKSet>

interface Loaded {
  discovery: Discovery
  keys: KeySet
  /** What `keys` was made from. */
  keyDocument: string
  loadedAt: number
}

/** Older keys are refreshed in the background. */
const REFRESH_AFTER_MS = 5 * 60_000
/** Older keys are no longer trusted. */
const EXPIRE_AFTER_MS = 60 * 60_000
/** Minimum time between requests for unknown key ids. */
const COOLDOWN_MS = 30_000
/** Minimum time between attempts to reach an issuer that failed. */
const RETRY_AFTER_MS = 1_000

/** The key id is unknown, and the keys were reloaded too recently to reload them again. */
export class KeyNotLookedUp extends errors.JWKSNoMatchingKey {}

/**
 * During a short outage, requests with known keys still succeed (authentication.md#signing-keys).
 */
export class Issuer {
  #loaded?: Loaded
  #loading?: Promise<Loaded>
  /** Rethrown until the next attempt. */
  #failure?: { error: unknown; at: number }
  #lastUnknownKey = Number.NEGATIVE_INFINITY

  constructor(
    readonly url: string,
    private readonly now: () => number = () => performance.now()
  ) {}

  /**
   * A key lookup for `jose`. Reloads the keys once when the key id is unknown.
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

  /** The keys that are trusted now: another object after the issuer has changed them. */
  async keySet(): Promise<KeySet> {
    return (await this.#current()).keys
  }

  /** The keys that were read last, without reading any. */
  get loadedKeySet(): KeySet | undefined {
    return this.#loaded?.keys
  }

  /** The keys that are trusted now; undefined if they are due to be read again. */
  get currentKeySet(): KeySet | undefined {
    return this.#age <= REFRESH_AFTER_MS ? this.#loaded?.keys : undefined
  }

  /** How long ago the keys were read, in milliseconds; null if they never were. */
  get keysAgeMs(): number | null {
    return this.#loaded ? this.now() - this.#loaded.loadedAt : null
  }

  async userinfoEndpoint(): Promise<string | undefined> {
    return (await this.#current()).discovery.userinfo_endpoint
  }

  get #age(): number {
    return this.#loaded ? this.now() - this.#loaded.loadedAt : Number.POSITIVE_INFINITY
  }

  async #current(): Promise<Loaded> {
    if (this.#age > EXPIRE_AFTER_MS) return this.#loadUnlessFailing()
    if (this.#age > REFRESH_AFTER_MS) this.#loadUnlessFailing().catch(() => {})
    return this.#loaded!
  }

  /** Undefined during the cooldown. Concurrent callers share a request. */
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
      const keys = await this.#readKeys(discovery.jwks_uri)
      this.#failure = undefined
      return (this.#loaded = { discovery, ...keys, loadedAt: this.now() })
    } catch (error) {
      this.#failure = { error, at: this.now() }
      throw error
    }
  }

  /** @throws OutboundError, or Error when the document is not a key set */
  async #readKeys(url: string): Promise<Pick<Loaded, 'keys' | 'keyDocument'>> {
    const document = (await outboundJson(url, { author: 'operator' })) as JSONWebKeySet
    const keyDocument = JSON.stringify(document)
    const isKnown = this.#loaded?.keyDocument === keyDocument
    return { keys: isKnown ? this.#loaded!.keys : parseKeys(document), keyDocument }
  }
}

/** @throws OutboundError, or Error when the document belongs to another issuer */
export async function fetchDiscovery(issuer: string): Promise<Discovery & Record<string, unknown>> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await outboundJson(url, { author: 'operator' })) as Discovery | null
  if (document?.issuer !== issuer || typeof document.jwks_uri !== 'string') {
    throw new Error('The discovery document belongs to another issuer')
  }
  return document as Discovery & Record<string, unknown>
}

function parseKeys(document: JSONWebKeySet): KeySet {
  try {
    return createLocalJWKSet(document)
  } catch (cause) {
    // A jose error would be reported as an invalid token.
    throw new Error('The signing keys of the issuer are not a valid key set', { cause })
  }
}
