import { type LogScope, findLogEntry } from '#app/delivery/actions/find_log_entry'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { type NextAttempt, nextAttempts } from '#app/delivery/queries/next_attempt'
import { readMaskedPayload } from '#app/notifications/actions/read_masked_payload'
import type Notification from '#app/notifications/models/notification'

export interface ChannelHistory {
  channel: Channel
  delivery: Delivery | null
  attempts: DeliveryAttempt[]
  /** Null if the channel is not tried again */
  next: NextAttempt | null
}

export interface LogEntryDetails {
  notification: Notification
  payload: Record<string, unknown>
  deliveries: ChannelHistory[]
}

const CHANNELS: Channel[] = ['email', 'push']

/** @throws NotificationNotFound, also for entries outside the scope */
export async function readLogEntry(id: number, scope: LogScope): Promise<LogEntryDetails> {
  const notification = await findLogEntry(id, scope)
  const [payload, deliveries, attempts, next] = await Promise.all([
    readMaskedPayload(notification),
    Delivery.query().where('notificationId', id),
    DeliveryAttempt.query().where('notificationId', id).orderBy('id'),
    nextAttempts(notification),
  ])
  const histories = CHANNELS.map((channel) => ({
    channel,
    delivery: deliveries.find((delivery) => delivery.channel === channel) ?? null,
    attempts: attempts.filter((attempt) => attempt.channel === channel),
    next: next.get(channel) ?? null,
  }))
  const planned = histories.filter(
    ({ delivery, attempts: made, next: following }) => delivery || made.length > 0 || following
  )
  return { notification, payload, deliveries: planned }
}
