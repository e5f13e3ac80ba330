import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import type { Channel } from '#app/delivery/models/delivery'
import { storeOutcomes } from '#app/delivery/outcome_outbox'
import { recordStatements } from '#app/delivery/queries/record_statements'
import { type DeliveryOutcome, reasonCode } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import { isPseudonym } from '#app/profiles/values/pseudonym'

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
  let isInserted = false
  const record = () =>
    PreparedQuery.inTransaction(async (run) => {
      const kept = await recordOutcomes(finished, run)
      // Not repeated, because the rows would be duplicated if only the confirmation was lost.
      if (!isInserted) {
        isInserted = true
        await insertRows(kept, run)
      }
      await storeOutcomes(kept, run)
    })
  await retryWhileUnavailable(record)
    .catch((error: unknown) => {
      logFailure(error)
      if (isInserted) return record()
    })
    .catch(logFailure)
}

/**
 * Throws if recording fails, to roll back the transaction. The caller knows which outcomes are
 * final, and stores them.
 */
export async function recordDeliveriesInTransaction(finished: FinishedDelivery[], run: RunQuery) {
  if (finished.length === 0) return
  await insertRows(await recordOutcomes(finished, run), run)
}

/**
 * Locks the entries, so that an erasure of a recipient comes before or after everything else.
 * @returns the deliveries, without texts about users who were erased meanwhile
 */
async function recordOutcomes(finished: FinishedDelivery[], run: RunQuery) {
  const { updateOutcomes } = recordStatements()
  const update = (all: FinishedDelivery[]) => run(updateOutcomes, [outcomesOf(all)])
  const entries = await update(finished)
  const erased = new Set(entries.filter(({ email }) => isPseudonym(email)).map(({ id }) => id))
  if (erased.size === 0) return finished
  const kept = finished.map((each) => (erased.has(each.id) ? withoutTexts(each) : each))
  await update(kept)
  return kept
}

async function insertRows(finished: FinishedDelivery[], run: RunQuery) {
  const { insertAttempts, insertDeliveries } = recordStatements()
  await run(insertDeliveries, [deliveriesOf(finished)])
  await run(insertAttempts, [attemptsOf(finished)])
}

/** What the log keeps about an erased user (profiles.md#erasing-a-user). */
function withoutTexts({ outcome, results, deferred, ...rest }: FinishedDelivery): FinishedDelivery {
  return {
    ...rest,
    outcome: { ...outcome, statusReason: reasonCode(outcome.statusReason) },
    results: textlessResults(results),
    deferred: deferred && textlessResults(deferred),
  }
}

function textlessResults(results: Map<Channel, DeliveryResult>) {
  return new Map(
    [...results].map(([channel, result]) => {
      const attempts = result.attempts.map((attempt) => ({ ...attempt, text: null }))
      return [channel, { ...result, attempts, error: null, providerMessageId: null }]
    })
  )
}

function outcomesOf(finished: FinishedDelivery[]): string {
  return JSON.stringify(
    finished.map(({ id, outcome }) => ({
      notification_id: id,
      status: outcome.status,
      status_reason: outcome.statusReason,
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
      created_at: now,
      updated_at: now,
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
