import type { Deadline } from '#core/values/deadline'
import { claimStatements } from '#app/broadcasts/queries/claim_statements'
import broadcastsConfig from '#config/broadcasts'

/** Decides during a batch whether further recipients may be started. */
export class BatchMonitor {
  readonly #lease: Deadline
  readonly #stopping: AbortSignal
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #failuresInARow = 0

  constructor(broadcastId: number, lease: Deadline, stopping: AbortSignal) {
    this.#lease = lease
    this.#stopping = stopping
    this.#timer = setInterval(
      () => void this.#checkStatus(broadcastId),
      broadcastsConfig.statusCheckMs
    )
  }

  get mustStop(): boolean {
    return this.#isStopped || this.#stopping.aborted || this.#isTooLate || this.isMailServerFailing
  }

  get #isTooLate(): boolean {
    return this.beginWithinMs === 0
  }

  /** Counts from the claim, since loading the content takes time as well. */
  get beginWithinMs(): number {
    const { leaseMs, beginWithinMs } = broadcastsConfig
    return Math.max(0, this.#lease.remainingMs - (leaseMs - beginWithinMs))
  }

  /** Further attempts would only use up the recipients' retries. */
  get isMailServerFailing(): boolean {
    return this.#failuresInARow >= broadcastsConfig.holdAfterFailures
  }

  recordAttempt(mayPass: boolean) {
    this.#failuresInARow = mayPass ? this.#failuresInARow + 1 : 0
  }

  stop() {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  /** Errors are ignored here: the batch itself encounters them. */
  async #checkStatus(broadcastId: number) {
    const rows = await claimStatements()
      .isRunning.all([broadcastId])
      .catch(() => null)
    if (rows?.length === 0) this.stop()
  }
}
