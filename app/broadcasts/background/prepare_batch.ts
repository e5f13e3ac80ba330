import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deadline } from '#core/values/deadline'
import type { BroadcastContent } from '#app/broadcasts/actions/read_broadcast_content'
import type Broadcast from '#app/broadcasts/models/broadcast'
import type { ClaimedRow } from '#app/broadcasts/queries/claim_statements'
import type { BatchItem } from '#app/broadcasts/background/batch_records'
import {
  type PreparedNotification,
  unsentNotification,
} from '#app/delivery/actions/prepare_notification'
import { prepareNotifications } from '#app/delivery/actions/prepare_notifications'
import {
  type NotificationRecord,
  notificationRecord,
} from '#app/delivery/values/notification_record'
import { sensitiveKeys } from '#app/notifications/values/sensitive_variables'
import { findOutsiders } from '#app/profiles/actions/find_outsiders'
import broadcastsConfig from '#config/broadcasts'

export interface Batch {
  broadcast: Broadcast
  content: BroadcastContent
  rows: ClaimedRow[]
  lease: Deadline
  /** Hears how many characters the rendered messages have together. */
  onPrepared?: (characters: number) => void
}

/** Takes two to three milliseconds. */
const PART = 10

/** In parts, so that requests get turns in between. */
export async function prepareBatch({ rows, onPrepared, ...batch }: Batch): Promise<BatchItem[]> {
  const items: BatchItem[] = []
  for (let first = 0; first < rows.length; first += PART) {
    await nextTurn()
    const part = rows.slice(first, first + PART)
    items.push(...(await prepareRows({ ...batch, rows: part })))
  }
  onPrepared?.(items.reduce((sum, { prepared }) => sum + prepared.size, 0))
  return items
}

async function prepareRows({ broadcast, content, rows }: Omit<Batch, 'lease' | 'onPrepared'>) {
  if (rows[0].claims > broadcastsConfig.maxClaims) {
    return rows.map((row) => ({ row, prepared: failAbandoned(row, broadcast, content) }))
  }
  const outsiders = broadcast.outsideRecipients
    ? new Set<string>()
    : await findOutsiders(rows.map(({ email }) => email))
  const reachable = rows.filter(({ email }) => !outsiders.has(email))
  const prepared = await prepareReachable({ broadcast, content, rows: reachable })
  return rows.map((row) => ({
    row,
    prepared: prepared.get(row) ?? skipOutsider(row, broadcast, content),
  }))
}

async function prepareReachable({ broadcast, content, rows }: Omit<Batch, 'lease' | 'onPrepared'>) {
  const { data, locale, templateKey } = broadcast
  const reads = rows.map(({ email, notification_id }) => ({
    request: {
      recipientEmail: email,
      appCode: content.application.code,
      type: broadcast.type,
      template: templateKey ?? undefined,
      data,
      locale: locale ?? undefined,
    },
    ...content,
    broadcastId: broadcast.id,
    // A mail that is not part of a digest is retried on its own.
    isSeparate: notification_id !== null,
  }))
  const prepared = await prepareNotifications(reads)
  return new Map(rows.map((row, index) => [row, prepared[index]]))
}

/** Renders nothing: rendering may be what crashed the process. */
function failAbandoned(row: ClaimedRow, broadcast: Broadcast, content: BroadcastContent) {
  const code = row.notification_id === null ? 'RENDER_ERROR' : 'SMTP_ERROR'
  const text = `processing was interrupted ${broadcastsConfig.maxClaims} times`
  const outcome = { status: 'failed', statusReason: `${code}: ${text}` } as const
  return withoutSending(row, broadcast, content, outcome)
}

/** The broadcast may not be sent to addresses without a user record. */
function skipOutsider(row: ClaimedRow, broadcast: Broadcast, content: BroadcastContent) {
  const outcome = { status: 'skipped', statusReason: 'OUTSIDE_RECIPIENT' } as const
  return withoutSending(row, broadcast, content, outcome)
}

function withoutSending(
  { email }: ClaimedRow,
  { id: broadcastId, type, templateKey, locale, data: payload }: Broadcast,
  { application, template }: BroadcastContent,
  outcome: Pick<NotificationRecord, 'status' | 'statusReason'>
): PreparedNotification {
  const record = notificationRecord(application, {
    email,
    type,
    templateKey,
    locale: locale ?? 'en',
    payload,
    broadcastId,
    // There are no broadcasts of system types.
    sensitiveVariables: sensitiveKeys(null, template, payload),
    ...outcome,
  })
  return unsentNotification(record)
}
