import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { PreparedQuery, RunQuery } from '#core/database/prepared_query'
import { recordStatements } from '#app/delivery/queries/record_statements'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import { notificationReference } from '#app/delivery/values/notification_reference'

export interface RecordedNotification {
  id: number
  /** Identifies the notification in `Message-ID` and `Topic`, the same for every attempt */
  reference: string
}

const runOutsideTransaction: RunQuery = (query, values) => query.all(values)

export interface AddressedRecord {
  record: NotificationRecord
  /** The user record that the message was addressed with. Null if it needed none. */
  recipientId: number | null
}

/** A recipient's record was deleted after it was read. */
export class RecipientErased extends Error {
  override name = 'RecipientErased'
}

/** @throws RecipientErased */
export function recordNotifications(
  records: AddressedRecord[],
  run = runOutsideTransaction
): Promise<RecordedNotification[]> {
  return insert(records, recordStatements().insertNotifications, run)
}

/** Does not wait for an erasure in progress. @throws RecipientErased also while there is one */
export function recordUnlessLocked(records: AddressedRecord[]): Promise<RecordedNotification[]> {
  return insert(records, recordStatements().insertUnlessLocked, runOutsideTransaction)
}

async function insert(
  records: AddressedRecord[],
  statement: PreparedQuery<{ id: number }>,
  run: RunQuery
): Promise<RecordedNotification[]> {
  if (records.length === 0) return []
  const createdAt = toDatabaseTimestamp(DateTime.utc())
  const rows = records.map(({ record }) => ({
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
    scheduled_for: record.scheduledFor && toDatabaseTimestamp(record.scheduledFor),
    broadcast_id: record.broadcastId,
    template_source: record.templateSource,
    sensitive_variables: JSON.stringify(record.sensitiveVariables),
    body_text: record.bodyText,
    body_html: record.bodyHtml,
    digest_size: record.digestSize,
    explanation: record.explanation,
    created_at: createdAt,
  }))
  const recipients = new Set(records.flatMap(({ recipientId }) => recipientId ?? []))
  const inserted = await run(statement, [
    JSON.stringify(rows),
    JSON.stringify([...recipients].map((id) => ({ id }))),
  ])
  if (inserted.length === 0) throw new RecipientErased()
  const ids = inserted.map(({ id }) => id).sort((one, other) => one - other)
  return ids.map((id, index) => ({
    id,
    reference: notificationReference(id, createdAt, rows[index].email),
  }))
}
