import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { RunQuery } from '#core/database/prepared_query'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import type { Channel } from '#app/delivery/models/delivery'
import { recordStatements } from '#app/delivery/queries/record_statements'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
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
  const { insertAttempts, insertDeliveries, updateOutcomes } = recordStatements()
  const { attempts, deliveries, outcomes } = rowsOf(finished)
  await logFailure(retryWhileUnavailable(() => updateOutcomes.all([outcomes])))
  // Not retried, because the rows would be duplicated if only the confirmation was lost.
  await logFailure(
    Promise.all([insertDeliveries.all([deliveries]), insertAttempts.all([attempts])])
  )
}

/** Throws if recording fails, to roll back the transaction. */
export async function recordDeliveriesInTransaction(finished: FinishedDelivery[], run: RunQuery) {
  if (finished.length === 0) return
  const { insertAttempts, insertDeliveries, updateOutcomes } = recordStatements()
  const { attempts, deliveries, outcomes } = rowsOf(finished)
  await run(insertDeliveries, [deliveries])
  await run(insertAttempts, [attempts])
  await run(updateOutcomes, [outcomes])
}

function rowsOf(finished: FinishedDelivery[]) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const deliveries = finished.flatMap(({ id, results }) =>
    [...results].map(([channel, result]) => ({
      notification_id: id,
      channel,
      status: result.status,
      attempts: result.attempts.length,
      provider_message_id: result.providerMessageId,
      error: result.error,
      created_at: now,
      updated_at: now,
    }))
  )
  const attempts = finished.flatMap(({ id, results, deferred = [] }) =>
    [...results, ...deferred].flatMap(([channel, result]) =>
      result.attempts.map((attempt) => ({ notification_id: id, channel, ...attempt }))
    )
  )
  const outcomes = finished.map(({ id, outcome }) => ({
    notification_id: id,
    status: outcome.status,
    status_reason: outcome.statusReason,
  }))
  return {
    attempts: JSON.stringify(attempts),
    deliveries: JSON.stringify(deliveries),
    outcomes: JSON.stringify(outcomes),
  }
}

async function logFailure(writing: Promise<unknown>) {
  await writing.catch((error: unknown) =>
    logger.error({ error: describeError(error) }, 'The results of deliveries could not be recorded')
  )
}
