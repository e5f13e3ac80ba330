import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { HeldKey } from '#app/delivery/actions/once_per_key'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notifications'
import {
  type RecordedNotification,
  recordNotifications,
} from '#app/delivery/actions/record_notifications'
import { accountOf } from '#app/delivery/mail/sender'
import type { Channel } from '#app/delivery/models/delivery'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { sealContent } from '#app/delivery/values/pending_content'
import sendingConfig from '#config/sending'

/** A pending send, as the process that claimed it knows it. */
export interface ClaimedSend {
  id: number
  claim: string
  notificationId: number
  channels: Channel[]
  giveUpAt: DateTime
}

export interface StoredSend extends RecordedNotification {
  /** Null if the send is not retried. */
  pending: ClaimedSend | null
}

/**
 * Writes notifications into the log, in order, together with what a retry of durable ones needs, in
 * one transaction and before anything is sent. They are claimed for the caller.
 *
 * @param hoursOf for how many hours a notification is retried; 0 for none
 * @param held the idempotency key of a request for one notification: a repetition after a crash
 *   returns that one
 */
export async function storeSends(
  prepared: PreparedNotification[],
  hoursOf: (index: number) => number,
  held?: HeldKey
): Promise<StoredSend[]> {
  const records = prepared.map(({ record }) => record)
  const rows = prepared.map(({ channels, outgoing }, index) => {
    const hours = channels.length === 0 ? 0 : hoursOf(index)
    return hours === 0 ? null : pendingRow(outgoing(''), channels, hours)
  })
  if (!rows.some((row) => row !== null)) {
    return (await recordNotifications(records)).map((one) => ({ ...one, pending: null }))
  }
  return PreparedQuery.together(async (run) => {
    const stored: StoredSend[] = []
    for (const [index, recorded] of (await recordNotifications(records, run)).entries()) {
      const row = rows[index]
      if (row === null) {
        stored.push({ ...recorded, pending: null })
        continue
      }
      // One by one, because a hundred large messages could exceed the size of a parameter.
      const values = JSON.stringify([{ ...row.columns, notification_id: recorded.id }])
      const [{ id }] = await run(insertPending(), [values])
      stored.push({ ...recorded, pending: { ...row.claimed, id, notificationId: recorded.id } })
      if (held) await run(linkKey, [recorded.id, held.keyDigest, held.claimedAt])
    }
    return stored
  })
}

function pendingRow(message: OutgoingMessage, channels: Channel[], hours: number) {
  const now = DateTime.utc()
  const giveUpAt = now.plus({ hours })
  const claim = randomUUID()
  const columns = {
    channels: JSON.stringify(channels),
    account: turnOf(message, channels),
    content: sealContent(message),
    claim,
    due_at: toDatabase(now.plus({ milliseconds: sendingConfig.leaseMs })),
    give_up_at: toDatabase(giveUpAt),
    created_at: toDatabase(now),
  }
  return { columns, claimed: { claim, channels, giveUpAt } }
}

/** Sends by mail share a server; pushes share only the person's browsers. */
function turnOf({ brand, recipient }: OutgoingMessage, channels: Channel[]) {
  return channels.includes('email') ? accountOf(brand).owner : `push ${recipient.id}`
}

const linkKey = new PreparedQuery<never>(
  'link_idempotency_key',
  'update idempotency_keys set notification_id = $1 where key_digest = $2 and created_at = $3'
)

let insertQuery: PreparedQuery<{ id: number }> | undefined

/** The kind of database is known only once the application has booted. */
function insertPending() {
  if (insertQuery) return insertQuery
  const { names, values, source } = jsonRows({
    notification_id: 'integer',
    channels: 'jsonText',
    account: 'text',
    content: 'text',
    claim: 'text',
    due_at: 'timestamptz',
    give_up_at: 'timestamptz',
    created_at: 'timestamptz',
  })
  insertQuery = new PreparedQuery(
    'insert_pending_send',
    `insert into pending_sends (${names}) select ${values} from ${source} returning id`
  )
  return insertQuery
}
