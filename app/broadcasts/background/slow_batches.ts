import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { describeError } from '#core/exceptions/describe_error'
import { applicationKey, type Candidate } from '#app/broadcasts/background/application_turns'
import broadcastsConfig from '#config/broadcasts'

/**
 * Batches that take long, usually because a push service or a mail server does not answer. They
 * continue in parallel with those of other applications (broadcasts.md#turns-of-applications).
 */
export class SlowBatches {
  readonly #batches = new Map<number, Promise<void>>()

  get isFull(): boolean {
    return this.#batches.size >= broadcastsConfig.maxSlowBatches
  }

  /** Whether the application has a slow batch. */
  has(candidate: Candidate): boolean {
    return this.#batches.has(applicationKey(candidate))
  }

  /** Waits until the batch has ended or is slow. Errors of a slow batch are logged. */
  async follow(candidate: Candidate, batch: Promise<void>) {
    const ended = new AbortController()
    const isSlow = await Promise.race([
      batch.then(() => false).finally(() => ended.abort()),
      pause(broadcastsConfig.slowAfterMs, true, { signal: ended.signal }).catch(() => false),
    ])
    if (isSlow) this.#add(applicationKey(candidate), batch)
  }

  /** Waits until all have ended. */
  async finish() {
    await Promise.all(this.#batches.values())
  }

  #add(key: number, batch: Promise<void>) {
    const ending = batch
      .catch((error) => {
        logger.error({ error: describeError(error) }, 'A slow batch of a broadcast failed')
      })
      .finally(() => {
        this.#batches.delete(key)
        wakeBackgroundWork()
      })
    this.#batches.set(key, ending)
  }
}
