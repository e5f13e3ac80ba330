import { isoTimestamp } from '#core/values/iso_timestamp'
import type PushSubscription from '#app/notifications/models/push_subscription'

/** A push subscription for administrators, who do not see its endpoint. */
export function pushDeviceResource(subscription: PushSubscription) {
  const { id, endpoint, deviceLabel, lastUsedAt, createdAt } = subscription
  return {
    id,
    /** Host of the push service, which tells the browser */
    service: new URL(endpoint).host,
    /** As the application named it; null if it did not */
    deviceLabel,
    /** The last successful delivery */
    lastUsedAt: isoTimestamp(lastUsedAt),
    createdAt: isoTimestamp(createdAt),
  }
}
