import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { inBackground } from '#core/database/statement_time_limit'
import { describeError } from '#core/exceptions/describe_error'
import type { WorkSource } from '#app/delivery/outbox/work_source'

/** How long a source rests that has nothing due, or that failed, in milliseconds. */
const REST_MS = 1_000

/** Workers of this process that rest. */
const resting = new Set<AbortController>()

/** Says that this process has just stored something to work on: nobody rests any longer. */
export function wakeOutbox() {
  for (const rest of resting) rest.abort()
}

/** Works on sources side by side, in the background, until it is stopped. */
export class OutboxWorker {
  readonly #stopping = new AbortController()
  readonly #sources: WorkSource[]
  #running: Promise<void>[] = []

  constructor(sources: WorkSource[]) {
    this.#sources = sources
  }

  start() {
    this.#running = this.#sources.map((source) => this.#run(source))
  }

  /** Finishes what is under way. */
  async stop() {
    this.#stopping.abort()
    wakeOutbox()
    await Promise.all(this.#running)
  }

  async #run(source: WorkSource) {
    while (!this.#stopping.signal.aborted) {
      // Before the work, so that what is stored during it is not slept over.
      const rest = new AbortController()
      resting.add(rest)
      const more = await this.#workOn(source)
      if (!more) await pause(REST_MS, null, { signal: rest.signal }).catch(() => {})
      resting.delete(rest)
    }
  }

  async #workOn(source: WorkSource) {
    try {
      return await inBackground(() => source.work(this.#stopping.signal))
    } catch (error) {
      logger.error({ error: describeError(error) }, `The work on ${source.name} failed`)
      return false
    }
  }
}
