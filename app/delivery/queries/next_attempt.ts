import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { parseDatabaseTimestamp } from '#core/database/columns'
import type { Channel } from '#app/delivery/models/delivery'
import PendingSend from '#app/delivery/models/pending_send'
import type Notification from '#app/notifications/models/notification'

/** When each channel is tried next: by a durable send, the e-mail hook or a broadcast. */
export async function nextAttempts(entry: Notification): Promise<Map<Channel, DateTime>> {
  const pending = await PendingSend.findBy({ notificationId: entry.id })
  if (pending) return new Map(pending.channels.map((channel) => [channel, pending.dueAt]))
  const dueAt = entry.broadcastId === null ? await nextMailOf(entry) : await nextTurnOf(entry)
  return new Map(dueAt ? [['email', dueAt]] : [])
}

async function nextMailOf({ id }: Notification): Promise<DateTime | null> {
  const mail: { due_at: unknown } | null = await db
    .from('provider_mails')
    .where({ notification_id: id, status: 'queued' })
    .select('due_at')
    .first()
  return parseDatabaseTimestamp(mail?.due_at)
}

/** Whether a background process still has to try the notification, now or after a pause. */
export async function isStillTried(
  { id, broadcastId, email }: Notification,
  client: TransactionClientContract
): Promise<boolean> {
  const waiting = await Promise.all([
    client.from('pending_sends').where({ notification_id: id }).first(),
    client.from('provider_mails').where({ notification_id: id, status: 'queued' }).first(),
    client
      .from('broadcast_recipients')
      .where({ broadcast_id: broadcastId ?? 0, email })
      .whereNull('status')
      .first(),
  ])
  return waiting.some((row) => row !== null)
}

/** Null while the broadcast is paused, because nobody knows when it continues. */
async function nextTurnOf({ broadcastId, email }: Notification): Promise<DateTime | null> {
  const recipient: { due_at: number } | null = await db
    .from('broadcast_recipients')
    .join('broadcasts', 'broadcasts.id', 'broadcast_recipients.broadcast_id')
    .where({ 'broadcast_id': broadcastId, email, 'broadcasts.status': 'running' })
    .whereNull('broadcast_recipients.status')
    .whereNotNull('due_at')
    .select('due_at')
    .first()
  return recipient && DateTime.fromMillis(Math.round(recipient.due_at), { zone: 'utc' })
}
