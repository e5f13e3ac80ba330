import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabase } from '#core/database/columns'
import type { RunQuery } from '#core/database/prepared_query'
import { whenAvailable } from '#core/database/when_available'
import { describeError } from '#core/exceptions/describe_error'
import type { Channel } from '#app/delivery/models/delivery'
import { recordStatements } from '#app/delivery/queries/record_statements'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'

export interface NotificationRecord extends DeliveryOutcome {
  email: string
  appCode: string
  appName: string
  type: string
  templateKey: string | null
  locale: string
  subject: string
  payload: Record<string, unknown>
  inInbox: boolean
}

export interface RecordedNotification {
  id: number
  /** Identifies the notification in `Message-ID` and `Topic`, the same for every attempt */
  reference: string
}

export interface FinishedDelivery {
  id: number
  outcome: DeliveryOutcome
  results: Map<Channel, DeliveryResult>
}

const runOutsideTransaction: RunQuery = (query, values) => query.all(values)

export async function recordNotifications(
  records: NotificationRecord[],
  run = runOutsideTransaction
): Promise<RecordedNotification[]> {
  if (records.length === 0) return []
  const createdAt = toDatabase(DateTime.utc())
  const rows = records.map((record) => ({
    email: record.email,
    app_code: record.appCode,
    app_name: record.appName,
    type: record.type,
    template_key: record.templateKey,
    locale: record.locale,
    subject: record.subject,
    status: record.status,
    status_reason: record.statusReason,
    payload: JSON.stringify(record.payload),
    in_inbox: record.inInbox,
    created_at: createdAt,
  }))
  const inserted = await run(recordStatements().insertNotifications, [JSON.stringify(rows)])
  const ids = inserted.map(({ id }) => id).sort((one, other) => one - other)
  return ids.map((id, index) => ({ id, reference: referenceOf(id, createdAt, rows[index].email) }))
}

/** Never throws, because callers must learn what was delivered even if it cannot be recorded. */
export async function recordDeliveries(finished: FinishedDelivery[]) {
  if (finished.length === 0) return
  const { insertDeliveries, updateOutcomes } = recordStatements()
  const { deliveries, outcomes } = rowsOf(finished)
  await logFailure(whenAvailable(() => updateOutcomes.all([outcomes])))
  // Not retried, because the rows would be duplicated if only the confirmation was lost.
  await logFailure(insertDeliveries.all([deliveries]))
}

/** Throws if recording fails, to roll back the transaction. */
export async function writeDeliveries(finished: FinishedDelivery[], run: RunQuery) {
  if (finished.length === 0) return
  const { insertDeliveries, updateOutcomes } = recordStatements()
  const { deliveries, outcomes } = rowsOf(finished)
  await run(insertDeliveries, [deliveries])
  await run(updateOutcomes, [outcomes])
}

function rowsOf(finished: FinishedDelivery[]) {
  const now = toDatabase(DateTime.utc())
  const deliveries = finished.flatMap(({ id, results }) =>
    [...results].map(([channel, result]) => ({
      notification_id: id,
      channel,
      status: result.status,
      attempts: result.attempts,
      provider_message_id: result.providerMessageId,
      error: result.error,
      created_at: now,
      updated_at: now,
    }))
  )
  const outcomes = finished.map(({ id, outcome }) => ({
    notification_id: id,
    status: outcome.status,
    status_reason: outcome.statusReason,
  }))
  return { deliveries: JSON.stringify(deliveries), outcomes: JSON.stringify(outcomes) }
}

async function logFailure(writing: Promise<unknown>) {
  await writing.catch((error: unknown) =>
    logger.error({ error: describeError(error) }, 'The results of deliveries could not be recorded')
  )
}

/** @param createdAt as stored in the database */
export function referenceOf(id: number, createdAt: string, email: string) {
  const digest = createHash('sha256').update(`${id}\n${createdAt}\n${email}`).digest('hex')
  return `notification.${id}.${digest.slice(0, 16)}`
}
