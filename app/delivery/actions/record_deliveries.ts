import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import type { Channel } from '#app/delivery/models/delivery'
import { mayStoreOutcomes, storeOutcomes } from '#app/delivery/outcome_outbox'
import { recordDeliveryStatements } from '#app/delivery/queries/record_delivery_statements'
import { type DeliveryOutcome, reasonCode } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'

export interface FinishedDelivery {
  id: number
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
  /** Of channels that are tried again: only their attempts are recorded */
  deferred?: Map<Channel, DeliveryResult>
}

/** Never throws, because callers must learn what was delivered even if it cannot be recorded. */
export async function recordDeliveries(finished: FinishedDelivery[]) {
  if (finished.length === 0) return
  let tries = 0
  await retryWhileUnavailable(() => record(finished, tries++ > 0))
    .catch((error: unknown) => {
      logFailure(error)
      return record(finished.map(withoutRows), true)
    })
    .catch(logFailure)
}

/** @param isRepeated whether an earlier try may have succeeded without a confirmation */
async function record(finished: FinishedDelivery[], isRepeated: boolean) {
  const write = (run: RunQuery) => writeDeliveries(finished, run, isRepeated)
  if (usesPostgres() && !mayStoreOutcomes()) return write((query, values) => query.all(values))
  return PreparedQuery.inTransaction(async (run) => {
    await write(run)
    await storeOutcomes(finished, run)
  })
}

/**
 * Throws if recording fails, to roll back the transaction. The caller knows which outcomes are
 * final, and stores them.
 *
 * @param isRepeated whether an earlier try may have succeeded without a confirmation
 */
export async function recordDeliveriesInTransaction(
  finished: FinishedDelivery[],
  run: RunQuery,
  isRepeated: boolean
) {
  if (finished.length > 0) await writeDeliveries(finished, run, isRepeated)
}

async function writeDeliveries(finished: FinishedDelivery[], run: RunQuery, isRepeated: boolean) {
  const values = [
    outcomesOf(finished),
    deliveriesOf(finished),
    attemptsOf(finished),
    isRepeated ? 1 : 0,
  ]
  for (const statement of recordDeliveryStatements()) await run(statement, values)
}

/** The outcome is recorded even if its details cannot be. */
const withoutRows = ({ id, outcome }: FinishedDelivery): FinishedDelivery => ({
  ...{ id, outcome },
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

function deliveriesOf(finished: FinishedDelivery[]): string {
  const now = toDatabaseTimestamp(DateTime.utc())
  const deliveries = finished.flatMap(({ id, results }) =>
    [...results].map(([channel, result]) => ({
      notification_id: id,
      channel,
      status: result.status,
      attempts: result.attempts.length,
      provider_message_id: result.providerMessageId,
      error: result.error,
      recorded_at: now,
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
