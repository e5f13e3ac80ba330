import { setTimeout as pause } from 'node:timers/promises'
import { PreparedQuery } from '#core/database/prepared_query'
import { whenAvailable } from '#core/database/when_available'
import type { Deadline } from '#core/values/deadline'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'
import { writeDeliveries } from '#app/delivery/actions/record_deliveries'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import broadcastsConfig from '#config/broadcasts'

export interface RecipientOutcome {
  recipientId: number
  notificationId: number
  outcome: DeliveryOutcome
  /** Attempts that were the last of their channel. */
  results: Map<Channel, DeliveryResult>
  /** Whether the record says the outcome already. */
  isRecorded: boolean
  /** Milliseconds until the next try; null when this is final. */
  retryAfter: number | null
}

interface Waiting {
  outcome: RecipientOutcome
  written: () => void
  lost: (error: unknown) => void
}

/**
 * Writes down what became of recipients, together what came together. Whoever hands one in waits until it is written, so that
 * a crash can repeat no more messages than are under way at a time.
 */
export class BatchOutcomes {
  readonly #broadcastId: number
  readonly #lease: Deadline
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(broadcastId: number, lease: Deadline) {
    this.#broadcastId = broadcastId
    this.#lease = lease
  }

  add(outcome: RecipientOutcome): Promise<void> {
    return new Promise((written, lost) => {
      this.#waiting.push({ outcome, written, lost })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write() {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      await pause(broadcastsConfig.gatherMs)
      const group = this.#waiting
      this.#waiting = []
      try {
        const outcomes = group.map(({ outcome }) => outcome)
        // What has left the house must be written down: a database that is away for a moment is waited for.
        await whenAvailable(() => writeOutcomes(this.#broadcastId, outcomes), this.#lease)
        for (const { written } of group) written()
      } catch (error) {
        for (const { lost } of group) lost(error)
      }
    }
    this.#isWriting = false
  }
}

/** All or nothing: log, recipients and the broadcast's counts. Who was decided already is not counted again. */
async function writeOutcomes(broadcastId: number, outcomes: RecipientOutcome[]) {
  const statements = progressStatements()
  await PreparedQuery.together(async (run) => {
    const attempted = outcomes.filter(({ isRecorded }) => !isRecorded)
    await writeDeliveries(
      attempted.map(({ notificationId, ...rest }) => ({ id: notificationId, ...rest })),
      run
    )
    const retried = outcomes
      .filter(({ retryAfter }) => retryAfter !== null)
      .map(({ recipientId, retryAfter }) => ({ id: recipientId, wait: retryAfter }))
    if (retried.length > 0) await run(statements.retry, [JSON.stringify(retried)])
    const done = outcomes
      .filter(({ retryAfter }) => retryAfter === null)
      .map(({ recipientId, outcome }) => ({ id: recipientId, status: outcome.status }))
    if (done.length === 0) return
    const finished = await run(statements.finish, [JSON.stringify(done)])
    const count = (wanted: string) => finished.filter(({ status }) => status === wanted).length
    await run(statements.count, [broadcastId, count('sent'), count('failed'), count('skipped')])
  })
}
