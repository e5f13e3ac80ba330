import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { measureOwnTime } from '#core/database/own_time'
import { type Place, WorkPlaces } from '#core/database/work_places'
import { Deadline } from '#core/values/deadline'

const MAX_WAIT_MS = 5_000
const SMALL_BYTES = 65_536
/** In this time, a small list cannot grow by much. */
const SMALL_FOR_MS = 1_000
const MOST_SMALL_LISTS = 5_000
/** A list with a longer name is never known to be small. */
const MAX_NAME_LENGTH = 512
/** After a list that took longer, others get as much time before the caller's next one. */
const QUICK_MS = 50
const LONGEST_REST_MS = 4_000

interface ListRequest {
  caller: string
  /** Tells the lists of a caller apart */
  list: string
  response: ServerResponse
}

/**
 * Reads the lists of one caller one after another, unless they are known to be small
 * (conventions.md#lists-in-turn).
 */
export class ListTurns {
  readonly #quickMs: number
  readonly #places = new WorkPlaces({
    capacity: 4,
    forSlow: 2,
    slowMs: 250,
    detail: 'Too many large lists are being read',
  })
  readonly #small: LRUCache<string, true>

  constructor({ quickMs = QUICK_MS, smallForMs = SMALL_FOR_MS } = {}) {
    this.#quickMs = quickMs
    this.#small = new LRUCache({ max: MOST_SMALL_LISTS, ttl: smallForMs })
  }

  /** @throws Overloaded if the list cannot be read in time */
  async run<T>({ caller, list, response }: ListRequest, read: () => Promise<T>): Promise<T> {
    const name = `${caller} ${list}`
    if (this.#small.has(name)) return read()
    const place = await this.#places.enter(caller, new Deadline(MAX_WAIT_MS))
    const sent = endOf(response)
    let readMs = 0
    try {
      return await measureOwnTime(read, (ms) => (readMs = ms))
    } finally {
      // The response is serialized later.
      const readAt = performance.now()
      void sent.then(() => {
        this.#end(place, readMs + performance.now() - readAt, isSmall(response) ? name : null)
      })
    }
  }

  #end(place: Place, ms: number, smallList: string | null) {
    place.recordTime(ms)
    if (ms > this.#quickMs) {
      setTimeout(place.leave, Math.min(ms, LONGEST_REST_MS)).unref()
      return
    }
    place.leave()
    if (smallList !== null && smallList.length <= MAX_NAME_LENGTH) this.#small.set(smallList, true)
  }
}

/** Resolves once the response is serialized, however slowly it is read, or the client has left. */
const endOf = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('prefinish', resolve).once('close', resolve)
  })

const isSmall = (response: ServerResponse) =>
  Number(response.getHeader('content-length') ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES
