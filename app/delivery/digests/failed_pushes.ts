import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import PendingSend from '#app/delivery/models/pending_send'
import { unfinishedReason } from '#app/delivery/values/delivery_outcome'
import type Notification from '#app/notifications/models/notification'

type Entry = Pick<Notification, 'id' | 'status' | 'statusReason'>

/** Whether push was chosen, and has not delivered the message. */
export const hasFailedPush = ({ status, statusReason }: Entry) =>
  status === 'failed' && statusReason !== unfinishedReason('email')

/**
 * Those whose push has failed for good. Their outcomes were not stored, because a digest could
 * still deliver them; those of others are stored when their push ends.
 */
export async function failedPushes(
  notifications: Entry[],
  trx: TransactionClientContract
): Promise<Entry[]> {
  const failed = notifications.filter(
    (each) => hasFailedPush(each) && each.statusReason !== unfinishedReason('push')
  )
  const ids = failed.map(({ id }) => id)
  const retried = await PendingSend.query({ client: trx })
    .whereIn('notificationId', ids)
    .select('notificationId')
  const isRetried = new Set(retried.map(({ notificationId }) => notificationId))
  return failed.filter(({ id }) => !isRetried.has(id))
}
