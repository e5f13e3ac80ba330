import { isoTimestamp } from '#core/values/iso_timestamp'
import type Webhook from '#app/webhooks/models/webhook'

export function webhookResource(webhook: Webhook) {
  return {
    id: webhook.id,
    ...webhookSettings(webhook),
    disabledAt: isoTimestamp(webhook.disabledAt),
    disabledReason: webhook.disabledReason,
    failingSince: isoTimestamp(webhook.failingSince),
    lastSuccessAt: isoTimestamp(webhook.lastSuccessAt),
    lastFailure: lastFailureOf(webhook),
    droppedEvents: webhook.droppedEvents,
    lastDroppedAt: isoTimestamp(webhook.lastDroppedAt),
    previousSecretExpiresAt: isoTimestamp(webhook.previousSecretExpiresAt),
    createdAt: isoTimestamp(webhook.createdAt),
    updatedAt: isoTimestamp(webhook.updatedAt),
  }
}

/** What administrators edit, so what conditional writes and the audit trail are about. */
export function webhookSettings({ url, events, enabled }: Webhook) {
  return { url, events, enabled }
}

function lastFailureOf({ lastFailureAt, lastFailureReason, lastFailureStatus }: Webhook) {
  if (lastFailureAt === null || lastFailureReason === null) return null
  return { at: isoTimestamp(lastFailureAt), reason: lastFailureReason, status: lastFailureStatus }
}

/** The only responses that contain a secret: that of a new webhook, and that of a rotation. */
export function newWebhookResource(webhook: Webhook, secret: string) {
  return { ...webhookResource(webhook), secret }
}
