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
  readonly #batches = new Map<number, SlowBatch>()

  get isFull(): boolean {
    return this.#batches.size >= broadcastsConfig.slow.batches
  }

  /** Whether the application has a slow batch. */
  has(candidate: Candidate): boolean {
    return this.#batches.has(applicationKey(candidate))
  }

  /**
   * Waits until the batch ends or turns out to be slow. Without room in memory, waits for the end.
   * Errors of a slow batch are logged.
   *
   * @param send calls back when the messages are rendered, with the sum of their characters
   */
  async follow(
    candidate: Candidate,
    send: (onPrepared: (characters: number) => void) => Promise<void>
  ) {
    const prepared = Promise.withResolvers<number>()
    const batch = send(prepared.resolve)
    const characters = await Promise.race([prepared.promise, batch.then(() => 0)])
    const isSlow = (await isPending(batch)) && this.#hasRoomFor(characters)
    if (isSlow) this.#add(applicationKey(candidate), { characters, batch })
    else await batch
  }

  /** Waits until all have ended. */
  async finish() {
    await Promise.all([...this.#batches.values()].map(({ batch }) => batch))
  }

  #hasRoomFor(characters: number): boolean {
    const held = this.#batches.values().reduce((sum, slow) => sum + slow.characters, 0)
    return held + characters <= broadcastsConfig.slow.characters
  }

  #add(key: number, { characters, batch }: SlowBatch) {
    const ending = batch
      .catch((error) => {
        logger.error({ error: describeError(error) }, 'A slow batch of a broadcast failed')
      })
      .finally(() => {
        this.#batches.delete(key)
        wakeBackgroundWork()
      })
    this.#batches.set(key, { characters, batch: ending })
  }
}

interface SlowBatch {
  /** Of its rendered messages. */
  characters: number
  batch: Promise<void>
}

/** Whether a batch takes longer than others are to wait for it. */
async function isPending(batch: Promise<void>): Promise<boolean> {
  const ended = new AbortController()
  return Promise.race([
    batch.then(() => false).finally(() => ended.abort()),
    pause(broadcastsConfig.slow.afterMs, true, { signal: ended.signal }).catch(() => false),
  ])
}
