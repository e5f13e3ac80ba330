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

/**
 * The token issuer as its discovery document describes it, with its signing keys (decisions 2.1). A short outage fails
 * no request whose key is known.
 */
export class Issuer {
  #loaded?: Loaded
  #loading?: Promise<Loaded>
  #lastUnknownKey = Number.NEGATIVE_INFINITY

  constructor(
    readonly url: string,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** A key lookup for `jose`; asks the issuer once more when the key id is unknown. */
  findKey = async (header: JWTHeaderParameters, token: FlattenedJWSInput) => {
    const { keys } = await this.#current()
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayAskAgain()) throw error
      const fresh = await this.#load()
      return fresh.keys(header, token)
    }
  }

  async userinfoEndpoint(): Promise<string | undefined> {
    return (await this.#current()).discovery.userinfo_endpoint
  }

  async #current(): Promise<Loaded> {
    const age = this.#loaded ? this.now() - this.#loaded.loadedAt : Number.POSITIVE_INFINITY
    if (age > EXPIRE_AFTER_MS) return this.#load()
    // A failed refresh leaves the known keys in use.
    if (age > REFRESH_AFTER_MS) this.#load().catch(() => {})
    return this.#loaded!
  }

  #mayAskAgain() {
    const now = this.now()
    if (now - this.#lastUnknownKey < COOLDOWN_MS) return false
    this.#lastUnknownKey = now
    return true
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #fetch(): Promise<Loaded> {
    const discovery = await fetchDiscovery(this.url)
    const keys = (await outboundJson(discovery.jwks_uri, { author: 'operator' })) as JSONWebKeySet
    this.#loaded = { discovery, keys: createLocalJWKSet(keys), loadedAt: this.now() }
    return this.#loaded
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
