import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { parseDatabaseTimestamp } from '#core/database/columns'
import type { Channel } from '#app/delivery/models/delivery'
import { decodeExplanation } from '#app/delivery/planning/encoded_explanation'
import Digest from '#app/delivery/models/digest'
import DigestItem from '#app/delivery/models/digest_item'
import PendingSend from '#app/delivery/models/pending_send'
import type Notification from '#app/notifications/models/notification'

export interface NextAttempt {
  /** Null while the broadcast is paused */
  at: DateTime | null
}

/** The channels that are tried again, by a durable send, the e-mail hook or a broadcast. */
export async function nextAttempts(entry: Notification): Promise<Map<Channel, NextAttempt>> {
  const pending = await PendingSend.findBy({ notificationId: entry.id })
  const digest = await digestOf(entry)
  const next = new Map<Channel, NextAttempt>(digest ? [['email', digest]] : [])
  for (const channel of pending?.channels ?? []) next.set(channel, { at: pending!.dueAt })
  if (next.size > 0) return next
  const turn = entry.broadcastId === null ? await nextMailOf(entry) : await nextTurnOf(entry)
  return new Map(turn ? channelsOf(entry).map((channel) => [channel, turn]) : [])
}

/** When the digest with its mail is due. */
async function digestOf({ id }: Notification): Promise<NextAttempt | null> {
  const item = await DigestItem.find(id)
  const digest = item && (await Digest.find(item.digestId))
  return digest && { at: digest.dueAt }
}

/** A recipient with quiet hours gets all planned channels when they end; a retry is a mail. */
function channelsOf({ status, explanation }: Notification): Channel[] {
  const planned = status === 'scheduled' && explanation && decodeExplanation(explanation)
  return planned ? planned.channels : ['email']
}

async function nextMailOf({ id }: Notification): Promise<NextAttempt | null> {
  const mail: { due_at: unknown } | null = await db
    .from('provider_mails')
    .where({ notification_id: id, status: 'queued' })
    .select('due_at')
    .first()
  return mail && { at: parseDatabaseTimestamp(mail.due_at) }
}

/** Whether a background process will try the notification again, now or after a pause. */
export async function isStillTried(
  { id, broadcastId, digestId, email }: Notification,
  client: TransactionClientContract
): Promise<boolean> {
  const waiting = await Promise.all([
    client
      .from('pending_sends')
      .whereIn('notification_id', digestId === null ? [id] : [id, digestId])
      .first(),
    client.from('digest_items').where({ notification_id: id }).first(),
    client.from('provider_mails').where({ notification_id: id, status: 'queued' }).first(),
    client
      .from('broadcast_recipients')
      .where({ broadcast_id: broadcastId ?? 0, email })
      .whereNull('status')
      .first(),
  ])
  return waiting.some((row) => row !== null)
}

async function nextTurnOf({ broadcastId, email }: Notification): Promise<NextAttempt | null> {
  const recipient: { due_at: number; status: string } | null = await db
    .from('broadcast_recipients')
    .join('broadcasts', 'broadcasts.id', 'broadcast_recipients.broadcast_id')
    .where({ broadcast_id: broadcastId, email })
    .whereIn('broadcasts.status', ['running', 'paused'])
    .whereNull('broadcast_recipients.status')
    .whereNotNull('due_at')
    .select('due_at', 'broadcasts.status')
    .first()
  if (recipient === null) return null
  if (recipient.status === 'paused') return { at: null }
  return { at: DateTime.fromMillis(Math.round(recipient.due_at), { zone: 'utc' }) }
}
