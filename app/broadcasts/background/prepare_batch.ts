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

/** Usually takes two to three milliseconds. */
const PART = 10

/**
 * Renders as many messages as it has time for, and at least one. In parts, so that requests get
 * turns in between.
 */
export async function prepareBatch({
  rows,
  lease,
  onPrepared,
  ...batch
}: Batch): Promise<BatchItem[]> {
  const items: BatchItem[] = []
  let size = 1
  while (items.length < rows.length && size > 0) {
    await nextTurn()
    const startedAt = performance.now()
    const part = rows.slice(items.length, items.length + size)
    items.push(...(await prepareRows({ ...batch, rows: part })))
    const eachMs = (performance.now() - startedAt) / part.length
    size = Math.min(PART, Math.floor(timeLeft(lease) / eachMs))
  }
  onPrepared?.(items.reduce((sum, { prepared }) => sum + prepared.size, 0))
  return items
}

/** Counts from the claim, as the time in which messages may be started does. */
function timeLeft(lease: Deadline): number {
  const { leaseMs, renderWithinMs } = broadcastsConfig
  return Math.max(0, lease.remainingMs - (leaseMs - renderWithinMs))
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
