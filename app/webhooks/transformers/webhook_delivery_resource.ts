import { isoTimestamp } from '#core/values/iso_timestamp'
import type WebhookDelivery from '#app/webhooks/models/webhook_delivery'

export function webhookDeliveryResource(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    messageId: delivery.messageId,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: isoTimestamp(delivery.createdAt),
    lastAttemptAt: isoTimestamp(delivery.lastAttemptAt),
    nextAttemptAt: isoTimestamp(delivery.dueAt),
    responseStatus: delivery.responseStatus,
    failureReason: delivery.failureReason,
    payload: payloadOf(delivery),
  }
}

/** The body; null once it was removed. */
function payloadOf({ content }: WebhookDelivery): Record<string, unknown> | null {
  return content === null ? null : JSON.parse(content)
}
