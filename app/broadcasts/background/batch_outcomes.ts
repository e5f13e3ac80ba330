import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { PreparedQuery } from '#core/database/prepared_query'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import type { Deadline } from '#core/values/deadline'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import {
  type Recording,
  recordDeliveriesInTransaction,
  recordingTries,
} from '#app/delivery/actions/record_deliveries'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import broadcastsConfig from '#config/broadcasts'

export interface RecipientOutcome {
  recipientId: number
  notificationId: number
  outcome: DeliveryOutcome
  /** The final attempts of each channel. */
  results: Map<Channel, DeliveryResult>
  /** The attempts of channels that are tried again. */
  deferred: Map<Channel, DeliveryResult>
  /** Whether the notification's record already contains the outcome. */
  isRecorded: boolean
  /** Milliseconds until the next attempt; null when the outcome is final. */
  retryAfter: number | null
  /** Milliseconds until the recipient's quiet hours end; null if they do not wait for that. */
  waitFor: number | null
  /** It was cancelled while it waited, which the log already says. */
  wasCancelled?: boolean
  /** To a digest, which ends later */
  isHandedOver?: boolean
}

interface PendingOutcome {
  outcome: RecipientOutcome
  resolve: () => void
  reject: (error: unknown) => void
}

/** Callers wait for the write, so that a crash repeats only messages in progress. */
export class BatchOutcomes {
  readonly #broadcastId: number
  readonly #lease: Deadline
  #pending: PendingOutcome[] = []
  #isWriting = false

  constructor(broadcastId: number, lease: Deadline) {
    this.#broadcastId = broadcastId
    this.#lease = lease
  }

  add(outcome: RecipientOutcome): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ outcome, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write() {
    this.#isWriting = true
    while (this.#pending.length > 0) {
      await pause(broadcastsConfig.collectMs)
      const group = this.#pending
      this.#pending = []
      try {
        const outcomes = group.map(({ outcome }) => outcome)
        // Sent messages must be recorded, so this waits for an unavailable database.
        const nextTry = recordingTries()
        const write = () => writeOutcomes(this.#broadcastId, outcomes, nextTry())
        await retryWhileUnavailable(write, this.#lease)
        // The recipients that follow begin in another turn than this commit.
        await nextTurn()
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#isWriting = false
  }
}

/** Changes nothing of recipients that were decided earlier. */
async function writeOutcomes(broadcastId: number, all: RecipientOutcome[], recording: Recording) {
  const statements = progressStatements()
  await PreparedQuery.inTransaction(async (run) => {
    const ids = JSON.stringify(all.map(({ recipientId: id }) => ({ id })))
    const undecided = new Set((await run(statements.undecided, [ids])).map(({ id }) => id))
    const outcomes = all.filter(({ recipientId }) => undecided.has(recipientId))
    if (outcomes.length === 0) return
    const attempted = outcomes.filter(({ isRecorded }) => !isRecorded)
    await recordDeliveriesInTransaction(
      attempted.map(({ notificationId, ...rest }) => ({ id: notificationId, ...rest })),
      run,
      recording
    )
    const retried = outcomes
      .filter(({ retryAfter }) => retryAfter !== null)
      .map(({ recipientId, retryAfter }) => ({ id: recipientId, wait: retryAfter }))
    if (retried.length > 0) await run(statements.retry, [JSON.stringify(retried)])
    const waiting = outcomes
      .filter(({ waitFor }) => waitFor !== null)
      .map(({ recipientId, waitFor }) => ({ id: recipientId, wait: waitFor }))
    if (waiting.length > 0) await run(statements.wait, [JSON.stringify(waiting)])
    const done = outcomes
      .filter(({ retryAfter, waitFor }) => retryAfter === null && waitFor === null)
      .map(({ recipientId, outcome }) => ({ id: recipientId, status: outcome.status }))
    if (done.length === 0) return
    const finished = await run(statements.finish, [JSON.stringify(done)])
    const count = (wanted: string) => finished.filter(({ status }) => status === wanted).length
    await run(statements.count, [broadcastId, count('sent'), count('failed'), count('skipped')])
    const ended = new Set(finished.map(({ id }) => id))
    // A cancellation has stored its outcome.
    const final = outcomes.filter(
      ({ recipientId, wasCancelled, isHandedOver }) =>
        ended.has(recipientId) && !wasCancelled && !isHandedOver
    )
    await storeOutcomes(
      final.map(({ notificationId, outcome }) => ({ id: notificationId, outcome })),
      run
    )
  })
}
