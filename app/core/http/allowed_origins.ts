import crossOriginConfig from '#config/cross_origin'
import { KnownOrigins } from '#core/http/known_origins'

const LOOPBACK =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

const configured = new Set(crossOriginConfig.origins)
let stored = new KnownOrigins(async () => [])

/** The origins whose pages may call this service from a browser. */
export const allowedOrigins = {
  /** Adds a source of origins from a section. */
  from(known: KnownOrigins) {
    stored = known
  },

  /** Whether this origin, as browsers write it, is allowed. `null` never is. */
  includes(origin: string): boolean {
    if (configured.has(origin) || stored.has(origin)) return true
    return crossOriginConfig.allowsLoopback && LOOPBACK.test(origin)
  },

  /** A promise to await before calling `includes`; undefined if none is needed. */
  learning(origin: string): Promise<unknown> | undefined {
    return configured.has(origin) ? undefined : stored.refreshed()
  },
}
