import type { Worker } from 'node:cluster'

/** A worker says that its event loop turns, this often. */
export const BEAT_MS = 1_000
/** After so many beats that did not come it stands still. */
const MISSED_BEATS = 10

/** What a worker tells its parent each time. */
export interface Beat {
  kind: 'beat'
}

/**
 * Notices workers whose event loop stands still: stuck in code that does not return, they answer
 * nothing and do not even hear SIGTERM. It counts its own turns instead of reading the clock, so
 * that a machine that slept or a parent that was held up itself accuses nobody.
 */
export class Watchdog {
  /** How many turns each worker has been silent for. */
  readonly #silent = new Map<Worker, number>()

  constructor(private readonly standsStill: (worker: Worker) => void) {
    setInterval(() => this.#look(), BEAT_MS).unref()
  }

  /** The worker is up, or has just given a sign of life. */
  hear(worker: Worker) {
    this.#silent.set(worker, 0)
  }

  /** The worker has ended. */
  leave(worker: Worker) {
    this.#silent.delete(worker)
  }

  #look() {
    for (const [worker, silent] of this.#silent) {
      this.#silent.set(worker, silent + 1)
      if (silent + 1 <= MISSED_BEATS) continue
      this.#silent.delete(worker)
      this.standsStill(worker)
    }
  }
}

/** Gives the parent of this worker a sign of life for as long as the event loop turns. */
export function beat() {
  const sign: Beat = { kind: 'beat' }
  setInterval(() => process.send?.(sign, undefined, undefined, () => {}), BEAT_MS).unref()
}
