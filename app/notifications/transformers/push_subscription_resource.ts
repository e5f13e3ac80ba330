import { isoTimestamp } from '#core/values/iso_timestamp'
import type PushSubscription from '#app/notifications/models/push_subscription'

/** The keys are secret and not returned (delivery.md#subscription-fields). */
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
