import crossOriginConfig from '#config/cross_origin'
import { OriginCache } from '#core/http/origin_cache'

const LOOPBACK =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

const configured = new Set(crossOriginConfig.origins)
let stored = new OriginCache(async () => [])

export const allowedOrigins = {
  loadFrom(origins: OriginCache) {
    stored = origins
  },

  includes(origin: string): boolean {
    if (configured.has(origin) || stored.has(origin)) return true
    return crossOriginConfig.allowsLoopback && LOOPBACK.test(origin)
  },

  /** Loads stored origins if needed. Await the result, if any, before calling `includes`. */
  loadFor(origin: string): Promise<unknown> | undefined {
    return configured.has(origin) ? undefined : stored.loadIfStale()
  },
}
