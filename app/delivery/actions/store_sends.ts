import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery } from '#core/database/prepared_query'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notifications'
import {
  type RecordedNotification,
  recordNotifications,
} from '#app/delivery/actions/record_notifications'
import { smtpAccountOf } from '#app/delivery/mail/sender'
import type { Channel } from '#app/delivery/models/delivery'
import { insertPendingQuery, linkKeyQuery } from '#app/delivery/queries/pending_send_statements'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { encryptContent } from '#app/delivery/values/pending_content'
import sendingConfig from '#config/sending'

export interface ClaimedSend {
  id: number
  claim: string
  notificationId: number
  channels: Channel[]
  giveUpAt: DateTime
}

export interface StoredSend extends RecordedNotification {
  pending: ClaimedSend | null
}

/**
 * Records notifications and stores durable ones, claimed by the caller, before anything is sent.
 * @param retryHoursOf 0 for a notification that is not durable
 */
export async function storeSends(
  prepared: PreparedNotification[],
  retryHoursOf: (index: number) => number,
  key?: KeyClaim
): Promise<StoredSend[]> {
  const rows = prepared.map(({ channels, outgoing }, index) => {
    const hours = channels.length === 0 ? 0 : retryHoursOf(index)
    return hours === 0 ? null : pendingRow(outgoing(''), channels, hours)
  })
  if (!rows.some((row) => row !== null)) {
    return (await recordNotifications(prepared)).map((recorded) => ({ ...recorded, pending: null }))
  }
  return PreparedQuery.inTransaction(async (run) => {
    const stored: StoredSend[] = []
    for (const [index, recorded] of (await recordNotifications(prepared, run)).entries()) {
      const row = rows[index]
      if (row === null) {
        stored.push({ ...recorded, pending: null })
        continue
      }
      // One at a time, because a hundred large messages could exceed the size limit of a parameter.
      const values = JSON.stringify([{ ...row.columns, notification_id: recorded.id }])
      const [{ id }] = await run(insertPendingQuery(), [values])
      stored.push({ ...recorded, pending: { ...row.claimed, id, notificationId: recorded.id } })
      if (key) await run(linkKeyQuery, [recorded.id, key.keyDigest, key.claimedAt])
    }
    return stored
  })
}

/** A durable send, claimed by the caller. */
export function newPendingSend(message: OutgoingMessage, channels: Channel[], hours: number) {
  const now = DateTime.utc()
  return {
    channels,
    account: accountName(message, channels),
    content: encryptContent(message),
    claim: randomUUID(),
    dueAt: now.plus({ milliseconds: sendingConfig.leaseMs }),
    giveUpAt: now.plus({ hours }),
    createdAt: now,
  }
}

function pendingRow(message: OutgoingMessage, channels: Channel[], hours: number) {
  const send = newPendingSend(message, channels, hours)
  const { account, content, claim, dueAt, giveUpAt, createdAt } = send
  const columns = {
    channels: JSON.stringify(channels),
    ...{ account, content, claim },
    due_at: toDatabaseTimestamp(dueAt),
    give_up_at: toDatabaseTimestamp(giveUpAt),
    created_at: toDatabaseTimestamp(createdAt),
  }
  return { columns, claimed: { claim, channels, giveUpAt } }
}

/** What shares a limit: mails share a server, pushes only the browsers of a user. */
function accountName({ brand, recipient }: OutgoingMessage, channels: Channel[]) {
  return channels.includes('email') ? smtpAccountOf(brand).owner : `push ${recipient.id}`
}
