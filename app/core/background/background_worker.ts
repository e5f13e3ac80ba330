import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { isDatabaseUnavailable } from '#core/database/errors'
import { withBackgroundTimeLimit } from '#core/database/statement_time_limit'
import { describeError } from '#core/exceptions/describe_error'
import type { WorkSource } from '#core/background/work_source'

const IDLE_MS = 1_000

const idleSources = new Set<AbortController>()

/** Call this after storing new work, so that idle sources look immediately. */
export function wakeBackgroundWork() {
  for (const source of idleSources) source.abort()
}

export class BackgroundWorker {
  readonly #stopping = new AbortController()
  readonly #sources: readonly WorkSource[]
  #running: Promise<void>[] = []

  constructor(sources: readonly WorkSource[]) {
    this.#sources = sources
  }

  start() {
    this.#running = this.#sources.map((source) => this.#run(source))
  }

  async stop() {
    this.#stopping.abort()
    wakeBackgroundWork()
    await Promise.all(this.#running)
  }

  async #run(source: WorkSource) {
    while (!this.#stopping.signal.aborted) {
      // Registered before the work, so that a wake-up during the work is not lost.
      const wakeUp = new AbortController()
      idleSources.add(wakeUp)
      const more = await this.#workOn(source)
      // SQLite is synchronous, so without this a backlog would block all requests.
      if (more) await nextTurn()
      else await pause(IDLE_MS, null, { signal: wakeUp.signal }).catch(() => {})
      idleSources.delete(wakeUp)
    }
    await source.finish?.()
  }

  async #workOn(source: WorkSource) {
    try {
      return await withBackgroundTimeLimit(() => source.work(this.#stopping.signal))
    } catch (error) {
      const facts = { error: describeError(error) }
      // It is tried again in a second.
      if (isDatabaseUnavailable(error)) {
        logger.warn(facts, `Processing ${source.name} is waiting for the database`)
      } else logger.error(facts, `Processing ${source.name} failed`)
      return false
    }
  }
}
