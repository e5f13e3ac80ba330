import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { measureOwnTime } from '#core/database/own_time'
import { type Place, QUICK_MS, WorkPlaces } from '#core/database/work_places'
import { Deadline } from '#core/values/deadline'

const MAX_WAIT_MS = 5_000
const SMALL_BYTES = 65_536
/** In this time, a small response cannot grow by much. */
const SMALL_FOR_MS = 1_000
const MOST_SMALL = 5_000
/** What has a longer name is never known to be small. */
const MAX_NAME_LENGTH = 512

interface ReadRequest {
  caller: string
  /** What is read; null if the size of a response says nothing about the next one. */
  target: string | null
  response: ServerResponse
}

/**
 * Makes the reads of one caller run one after another, unless their responses are known to be small
 * (conventions.md#reads-in-turn).
 */
export class ReadTurns {
  readonly #quickMs: number
  readonly #places = new WorkPlaces({
    capacity: 32,
    forSlow: 2,
    slowMs: 250,
    detail: 'Too many large responses are in progress',
  })
  readonly #small: LRUCache<string, true>

  constructor({ quickMs = QUICK_MS, smallForMs = SMALL_FOR_MS } = {}) {
    this.#quickMs = quickMs
    this.#small = new LRUCache({ max: MOST_SMALL, ttl: smallForMs })
  }

  /** @throws Overloaded if the turn does not come in time */
  async run<T>({ caller, target, response }: ReadRequest, read: () => Promise<T>): Promise<T> {
    const name = target === null ? null : `${caller} ${target}`
    if (name !== null && this.#small.has(name)) return read()
    const place = await this.#places.enter(caller, new Deadline(MAX_WAIT_MS))
    const sent = endOf(response)
    let readMs = 0
    try {
      return await measureOwnTime(read, (ms) => (readMs = ms))
    } finally {
      // The response is serialized later.
      const readAt = performance.now()
      void sent.then(() => {
        const ms = readMs + performance.now() - readAt
        if (isSmall(response)) this.#endSmall(place, ms, name)
        else this.#endLarge(place, ms)
      })
    }
  }

  /** Never counts as slow: if it takes long, the process or the database is busy. */
  #endSmall(place: Place, ms: number, name: string | null) {
    place.leave()
    if (name !== null && ms <= this.#quickMs && name.length <= MAX_NAME_LENGTH)
      this.#small.set(name, true)
  }

  #endLarge(place: Place, ms: number) {
    place.recordTime(ms)
    place.leaveRested(ms, { quickMs: this.#quickMs })
  }
}

/** Those of this process. */
export const readTurns = new ReadTurns()

/** Resolves once the response is serialized, however slowly it is read, or the client has left. */
const endOf = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('prefinish', resolve).once('close', resolve)
  })

const isSmall = (response: ServerResponse) =>
  Number(response.getHeader('content-length') ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES
