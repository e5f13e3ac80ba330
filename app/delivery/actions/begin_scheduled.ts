import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Channel } from '#app/delivery/models/delivery'
import { unfinishedReason } from '#app/delivery/values/delivery_outcome'
import Notification from '#app/notifications/models/notification'

/**
 * Begins the delivery of a message that has waited, after which it can no longer be cancelled.
 * @returns whether it still waited
 */
export async function beginScheduled(
  id: number,
  channel: Channel,
  client?: QueryClientContract
): Promise<boolean> {
  const changed = await Notification.query({ client })
    .where({ id, status: 'scheduled' })
    .update({ status: 'failed', status_reason: unfinishedReason(channel) })
  return Number(changed) > 0
}
