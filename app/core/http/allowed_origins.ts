import crossOriginConfig from '#config/cross_origin'
import { KnownOrigins } from '#core/http/known_origins'

const LOOPBACK =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

const configured = new Set(crossOriginConfig.origins)
let stored = new KnownOrigins(async () => [])

/** Which pages may call this service from a browser. */
export const allowedOrigins = {
  /** Adds origins that a section stores. */
  from(known: KnownOrigins) {
    stored = known
  },

  /** Whether pages of this origin, as browsers write it, may. `null` is none. */
  includes(origin: string): boolean {
    if (configured.has(origin) || stored.has(origin)) return true
    return crossOriginConfig.allowsLoopback && LOOPBACK.test(origin)
  },

  /** What has to be waited for before `includes` knows of this origin; undefined when there is nothing. */
  learning(origin: string): Promise<unknown> | undefined {
    return configured.has(origin) ? undefined : stored.refreshed()
  },
}
