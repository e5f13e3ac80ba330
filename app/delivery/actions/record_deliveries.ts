import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'
import { SharedStatements } from '#core/database/shared_statements'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import type { Channel } from '#app/delivery/models/delivery'
import { mayStoreOutcomes, storeOutcomes } from '#app/delivery/outcome_outbox'
import { recordDeliveryStatements } from '#app/delivery/queries/record_delivery_statements'
import { type DeliveryOutcome, reasonCode } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import sendingConfig from '#config/sending'

export interface FinishedDelivery {
  id: number
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
  /** Of channels that are tried again: only their attempts are recorded */
  deferred?: Map<Channel, DeliveryResult>
}

/** A try to record deliveries. */
export interface Recording {
  /** The same for all tries, in the format of the database */
  recordedAt: string
  /** Whether an earlier try may have succeeded without a confirmation */
  isRepeated: boolean
}

/**
 * Of requests that end at the same time. On PostgreSQL, those of several requests wait for nobody:
 * two groups and the erasures of two users could wait for each other.
 */
const recordings = new SharedStatements<FinishedDelivery[], undefined>(async (requests) => {
  const nextTry = recordingTries()
  const write = requests.length > 1 && usesPostgres() ? writeUnlessLocked : writeDeliveries
  await retryWhileUnavailable(() => record(requests.flat(), nextTry(), write))
  return requests.map(() => undefined)
}, sendingConfig.mostTogether)

/** Or an entry is gone. */
class EntryLocked extends Error {
  override name = 'EntryLocked'
}

/** Never throws, because callers must learn what was delivered even if it cannot be recorded. */
export async function recordDeliveries(finished: FinishedDelivery[]) {
  if (finished.length === 0) return
  await recordings
    .add(finished)
    .catch((error: unknown) => {
      logFailure(error)
      return record(finished.map(withoutRows), recordingTries()())
    })
    .catch(logFailure)
}

/** Distinguishes each try to record the same deliveries from the first. */
export function recordingTries(): () => Recording {
  const recordedAt = toDatabaseTimestamp(DateTime.utc())
  let tries = 0
  return () => ({ recordedAt, isRepeated: tries++ > 0 })
}

async function record(finished: FinishedDelivery[], recording: Recording, write = writeDeliveries) {
  if (usesPostgres() && !mayStoreOutcomes()) {
    return write(finished, (query, values) => query.all(values), recording)
  }
  return PreparedQuery.inTransaction(async (run) => {
    await write(finished, run, recording)
    await storeOutcomes(finished, run)
  })
}

/**
 * Throws if recording fails, to roll back the transaction. The caller knows which outcomes are
 * final, and stores them.
 */
export async function recordDeliveriesInTransaction(
  finished: FinishedDelivery[],
  run: RunQuery,
  recording: Recording
) {
  if (finished.length > 0) await writeDeliveries(finished, run, recording)
}

async function writeDeliveries(
  finished: FinishedDelivery[],
  run: RunQuery,
  recording: Recording
): Promise<void> {
  const values = valuesOf(finished, recording)
  for (const statement of recordDeliveryStatements().all) await run(statement, values)
}

/** @throws EntryLocked */
async function writeUnlessLocked(
  finished: FinishedDelivery[],
  run: RunQuery,
  recording: Recording
): Promise<void> {
  const { unlessLocked } = recordDeliveryStatements()
  const [{ recorded }] = await run(unlessLocked, valuesOf(finished, recording))
  if (recorded === 0) throw new EntryLocked()
}

const valuesOf = (finished: FinishedDelivery[], { recordedAt, isRepeated }: Recording) => [
  outcomesOf(finished),
  deliveriesOf(finished, recordedAt),
  attemptsOf(finished),
  isRepeated ? 1 : 0,
]

/** The outcome is recorded even if its details cannot be. */
const withoutRows = ({ id, outcome }: FinishedDelivery): FinishedDelivery => ({
  id,
  outcome,
  results: new Map(),
})

function outcomesOf(finished: FinishedDelivery[]): string {
  return JSON.stringify(
    finished.map(({ id, outcome }) => ({
      notification_id: id,
      status: outcome.status,
      status_reason: outcome.statusReason,
      reason_code: reasonCode(outcome.statusReason),
    }))
  )
}

function deliveriesOf(finished: FinishedDelivery[], recordedAt: string): string {
  const deliveries = finished.flatMap(({ id, results }) =>
    [...results].map(([channel, result]) => ({
      notification_id: id,
      channel,
      status: result.status,
      attempts: result.attempts.length,
      provider_message_id: result.providerMessageId,
      error: result.error,
      recorded_at: recordedAt,
    }))
  )
  return JSON.stringify(deliveries)
}

function attemptsOf(finished: FinishedDelivery[]): string {
  const attempts = finished.flatMap(({ id, results, deferred = [] }) =>
    [...results, ...deferred].flatMap(([channel, result]) =>
      result.attempts.map((attempt) => ({ notification_id: id, channel, ...attempt }))
    )
  )
  return JSON.stringify(attempts)
}

function logFailure(error: unknown) {
  logger.error({ error: describeError(error) }, 'The results of deliveries could not be recorded')
}
