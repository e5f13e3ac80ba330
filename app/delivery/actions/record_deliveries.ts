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

/** Of requests that end at the same time. */
const recordings = new SharedStatements<FinishedDelivery[], undefined>(async (requests) => {
  const nextTry = recordingTries()
  await retryWhileUnavailable(() => record(requests.flat(), nextTry()))
  return requests.map(() => undefined)
}, sendingConfig.mostTogether)

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

async function record(finished: FinishedDelivery[], recording: Recording) {
  const write = (run: RunQuery) => writeDeliveries(finished, run, recording)
  if (usesPostgres() && !mayStoreOutcomes()) return write((query, values) => query.all(values))
  return PreparedQuery.inTransaction(async (run) => {
    await write(run)
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
  { recordedAt, isRepeated }: Recording
) {
  const values = [
    outcomesOf(finished),
    deliveriesOf(finished, recordedAt),
    attemptsOf(finished),
    isRepeated ? 1 : 0,
  ]
  for (const statement of recordDeliveryStatements()) await run(statement, values)
}

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
