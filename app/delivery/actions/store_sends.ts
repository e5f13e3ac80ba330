import type { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery } from '#core/database/prepared_query'
import { SharedStatements } from '#core/database/shared_statements'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import {
  type NewPendingSend,
  newDeferredSend,
  newPendingRequest,
  newPendingSend,
} from '#app/delivery/actions/new_pending_send'
import {
  type RecordedNotification,
  recordNotifications,
  recordUnlessLocked,
} from '#app/delivery/actions/record_notifications'
import { addToDigests, entriesOf } from '#app/delivery/digests/add_to_digests'
import { announceInboxNews } from '#app/delivery/inbox_news'
import type { Channel } from '#app/delivery/models/delivery'
import { mayStoreOutcomes, storeOutcomes } from '#app/delivery/outcome_outbox'
import { insertPendingQuery, linkKeyQuery } from '#app/delivery/queries/pending_send_statements'
import sendingConfig from '#config/sending'

export interface ClaimedSend {
  id: number
  claim: string
  notificationId: number
  channels: Channel[]
  giveUpAt: DateTime
}

export interface StoredSend extends RecordedNotification {
  /** Null also if it is for later */
  pending: ClaimedSend | null
  /** When the digest is due that its mail became a part of, if its record has another time */
  dueAt?: DateTime
}

/**
 * Records notifications and stores durable ones, claimed by the caller, before anything is sent.
 * Those for later are stored too, for whoever claims them then.
 * @param retryHoursOf 0 for a notification that is not durable
 */
export async function storeSends(
  prepared: PreparedNotification[],
  retryHoursOf: (index: number) => number,
  key?: KeyClaim
): Promise<StoredSend[]> {
  const stored = await store(prepared, retryHoursOf, key)
  announceInboxNews()
  return stored
}

/**
 * Of single sends that come at the same time. Those of a bulk share a statement anyway. Whoever is
 * erased at the moment must not keep others waiting, and is recorded alone.
 */
const records = new SharedStatements<PreparedNotification, RecordedNotification>(
  (prepared) =>
    prepared.length === 1 ? recordNotifications(prepared) : recordUnlessLocked(prepared),
  sendingConfig.mostTogether
)

async function store(
  prepared: PreparedNotification[],
  retryHoursOf: (index: number) => number,
  key?: KeyClaim
): Promise<StoredSend[]> {
  const rows = prepared.map((item, index) => pendingRow(item, retryHoursOf(index)))
  const hasOutcomes = prepared.some(isDecided) && mayStoreOutcomes()
  const isInDigest = prepared.some(({ digest }) => digest !== null)
  if (!hasOutcomes && !isInDigest && !rows.some((row) => row !== null)) {
    const recorded =
      prepared.length === 1 ? [await records.add(prepared[0])] : await recordNotifications(prepared)
    return recorded.map((one) => ({ ...one, pending: null }))
  }
  return PreparedQuery.inTransaction(async (run) => {
    const stored: StoredSend[] = []
    const notifications = await recordNotifications(prepared, run)
    for (const [index, recorded] of notifications.entries()) {
      const row = rows[index]
      const isKept = row !== null || prepared[index].digest !== null
      if (key && isKept) await run(linkKeyQuery, [recorded.id, key.keyDigest, key.claimedAt])
      if (row === null) {
        stored.push({ ...recorded, pending: null })
        continue
      }
      // One at a time, because a hundred large messages could exceed the size limit of a parameter.
      const values = JSON.stringify([{ ...row.columns, notification_id: recorded.id }])
      const [{ id }] = await run(insertPendingQuery(), [values])
      const pending = row.claimed && { ...row.claimed, id, notificationId: recorded.id }
      stored.push({ ...recorded, pending })
    }
    const dueTimes = await addToDigests(entriesOf(prepared, notifications), run)
    const decided = notifications.flatMap(({ id }, index) =>
      isDecided(prepared[index]) ? [{ id, outcome: prepared[index].record }] : []
    )
    await storeOutcomes(decided, run)
    return stored.map((one) => ({ ...one, dueAt: dueTimes.get(one.id) }))
  })
}

/** Without a channel, the outcome is known before anything is sent. */
const isDecided = ({ channels, record }: PreparedNotification) =>
  channels.length === 0 && record.status !== 'scheduled'

/** Null if nothing is stored, because it is sent at once and not retried, or not at all. */
function pendingRow({ record, request, channels, outgoing }: PreparedNotification, hours: number) {
  const { scheduledFor } = record
  if (scheduledFor && request) {
    return { columns: columnsOf(newPendingRequest(request, hours, scheduledFor)), claimed: null }
  }
  if (channels.length === 0) return null
  if (scheduledFor) {
    const send = newDeferredSend(outgoing(''), channels, hours, scheduledFor)
    return { columns: columnsOf(send), claimed: null }
  }
  if (hours === 0) return null
  const send = newPendingSend(outgoing(''), channels, hours)
  const { claim, giveUpAt } = send
  return { columns: columnsOf(send), claimed: { claim, channels, giveUpAt } }
}

function columnsOf(send: NewPendingSend) {
  const { channels, applicationId, account, recipientId, content, claim } = send
  const { prepared, retryHours, waitUntil } = send
  return {
    channels: JSON.stringify(channels),
    application_id: applicationId,
    account,
    recipient_id: recipientId,
    content,
    claim,
    prepared,
    retry_hours: retryHours,
    wait_until: waitUntil && toDatabaseTimestamp(waitUntil),
    due_at: toDatabaseTimestamp(send.dueAt),
    give_up_at: toDatabaseTimestamp(send.giveUpAt),
    created_at: toDatabaseTimestamp(send.createdAt),
  }
}
