import type { Deadline } from '#core/values/deadline'
import { claimStatements } from '#app/broadcasts/queries/claim_statements'
import broadcastsConfig from '#config/broadcasts'

/** Says while a batch is worked on whether anything of it may still be begun. */
export class BatchWatch {
  readonly #lease: Deadline
  readonly #stopping: AbortSignal
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #failuresInARow = 0

  constructor(broadcastId: number, lease: Deadline, stopping: AbortSignal) {
    this.#lease = lease
    this.#stopping = stopping
    this.#timer = setInterval(() => void this.#look(broadcastId), broadcastsConfig.watchMs)
  }

  get isOver(): boolean {
    return this.#isStopped || this.#stopping.aborted || this.#isTooLate || this.nothingIsTaken
  }

  /** Counted from the claim: reading what to send may have taken its time. */
  get #isTooLate(): boolean {
    return this.#lease.left < broadcastsConfig.leaseMs - broadcastsConfig.beginWithinMs
  }

  /** The mail server does not take anything at the moment: trying on would only use up everybody's tries. */
  get nothingIsTaken(): boolean {
    return this.#failuresInARow >= broadcastsConfig.holdAfter
  }

  noteFailure(mayPass: boolean) {
    this.#failuresInARow = mayPass ? this.#failuresInARow + 1 : 0
  }

  stop() {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  /** Paused and cancelled broadcasts are not running. A database that cannot be asked shows in the work itself. */
  async #look(broadcastId: number) {
    const rows = await claimStatements()
      .isRunning.all([broadcastId])
      .catch(() => null)
    if (rows?.length === 0) this.stop()
  }
}
