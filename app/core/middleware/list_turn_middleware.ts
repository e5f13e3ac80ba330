import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { LRUCache } from 'lru-cache'
import { WorkPlaces } from '#core/database/work_places'
import { callerKey } from '#core/http/caller_name'
import { Deadline } from '#core/values/deadline'

const MAX_WAIT_MS = 5_000
/** Reading, serializing and sending such a response takes a few milliseconds. */
const SMALL_BYTES = 65_536
/** In this time, a small list cannot grow by much. */
const SMALL_FOR_MS = 1_000
const MOST_REMEMBERED = 1_000
const MOST_REMEMBERED_CHARACTERS = 512
/** After a list that took longer, others get as much time before the caller's next one. */
const QUICK_MS = 50
const LONGEST_REST_MS = 4_000

const lists = new WorkPlaces({
  capacity: 4,
  forSlow: 2,
  slowMs: 250,
  detail: 'Too many large lists are being read',
})

/** Methods and URLs whose last response was small. */
const small = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: SMALL_FOR_MS })

/**
 * For lists that are not paged, and changes that return them: those of one caller are read one
 * after another, unless they are known to be small (conventions.md#lists-in-turn).
 */
export default class ListTurnMiddleware {
  /** @throws Overloaded if the list cannot be read in time */
  async handle(ctx: HttpContext, next: NextFn) {
    const key = `${ctx.request.method()} ${ctx.request.url(true)}`
    if (small.has(key)) return next()
    const place = await lists.enter(callerKey(ctx), new Deadline(MAX_WAIT_MS))
    const startedAt = performance.now()
    const { response } = ctx.response
    const end = () => {
      response.off('prefinish', end).off('close', end)
      const ms = performance.now() - startedAt
      const bytes = Number(response.getHeader('content-length') ?? Number.POSITIVE_INFINITY)
      const isQuick = ms <= QUICK_MS
      if (isQuick && bytes <= SMALL_BYTES && key.length <= MOST_REMEMBERED_CHARACTERS) {
        small.set(key, true)
      }
      place.recordTime(ms)
      if (isQuick) place.leave()
      else setTimeout(place.leave, Math.min(ms, LONGEST_REST_MS)).unref()
    }
    // Once the response is serialized, however slowly the client reads it.
    response.once('prefinish', end).once('close', end)
    return next()
  }
}
