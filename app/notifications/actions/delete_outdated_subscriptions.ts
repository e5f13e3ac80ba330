import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import { currentVapidKey, hasCurrentKey } from '#core/values/vapid_key'
import PushSubscription from '#app/notifications/models/push_subscription'
import type { PushTarget } from '#app/notifications/values/push_target'

const startedAt = DateTime.fromMillis(performance.timeOrigin)

/**
 * Deletes those that were made with a former VAPID key. During a rolling restart, processes that
 * have started later make others with a newer one, which are left alone.
 */
export async function deleteOutdatedSubscriptions(subscriptions: PushTarget[]): Promise<void> {
  const ids = subscriptions.flatMap((one) => (hasCurrentKey(one) ? [] : [one.id]))
  if (ids.length === 0 || currentVapidKey === null) return
  try {
    await PushSubscription.query()
      .whereIn('id', ids)
      .whereNot('vapidPublicKey', currentVapidKey)
      .where('updatedAt', '<', toDatabaseTimestamp(startedAt))
      .delete()
  } catch (error) {
    // The next send finds them again.
    logger.error({ error: describeError(error) }, 'Push subscriptions could not be deleted')
  }
}
