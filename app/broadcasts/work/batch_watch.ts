import { Deadline } from '#core/values/deadline'
import { claimStatements } from '#app/broadcasts/queries/claim_statements'
import broadcastsConfig from '#config/broadcasts'

/** Says while a batch is worked on whether anything of it may still be begun. */
export class BatchWatch {
  readonly #begin = new Deadline(broadcastsConfig.beginWithinMs)
  readonly #stopping: AbortSignal
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #failuresInARow = 0

  constructor(broadcastId: number, stopping: AbortSignal) {
    this.#stopping = stopping
    this.#timer = setInterval(() => void this.#look(broadcastId), broadcastsConfig.watchMs)
  }

  get isOver(): boolean {
    return this.#isStopped || this.#stopping.aborted || this.#begin.isOver || this.nothingIsTaken
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
