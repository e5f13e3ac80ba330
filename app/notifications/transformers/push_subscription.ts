import { isoTimestamp } from '#core/database/columns'
import type PushSubscription from '#app/notifications/models/push_subscription'

/** See delivery.md#subscription-fields. The keys stay here. */
export function pushSubscriptionResource(subscription: PushSubscription) {
  return {
    id: subscription.id,
    endpoint: subscription.endpoint,
    deviceLabel: subscription.deviceLabel ?? '',
    lastUsedAt: isoTimestamp(subscription.lastUsedAt),
    createdAt: isoTimestamp(subscription.createdAt),
    updatedAt: isoTimestamp(subscription.updatedAt),
  }
}
