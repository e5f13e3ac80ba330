import type { ConciergeOptions, NearCacheOptions } from '@concierge/client'
import { aClient } from '#tests/helpers/clients'
import { eventually } from '#tests/helpers/eventually'
import { INTERNAL_KEY } from '#tests/world/prepare'

type Cleanup = (callback: () => void) => void

interface Options extends Omit<ConciergeOptions, 'nearCache' | 'url'>, Partial<NearCacheOptions> {
  url?: string
}

/** A client with a near cache that has begun to follow the changes. */
export async function aNearCache(cleanup: Cleanup, options: Options = {}) {
  const near = openNearCache(cleanup, options)
  await eventually('the near cache is live', () => near.statistics.isLive)
  return near
}

export function openNearCache(cleanup: Cleanup, options: Options = {}) {
  const { internalKey = INTERNAL_KEY, maxEntries, timing, ...others } = options
  const nearCache = { internalKey, maxEntries, timing }
  const { concierge, sent } = aClient({ ...others, nearCache })
  cleanup(() => concierge.close())
  return { concierge, sent, statistics: concierge.nearCache! }
}
