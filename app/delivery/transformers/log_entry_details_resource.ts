import { isoTimestamp } from '#core/values/iso_timestamp'
import type { ChannelHistory, LogEntryDetails } from '#app/delivery/actions/read_log_entry'
import type DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { logEntryResource } from '#app/notifications/transformers/log_entry_resource'

/** See delivery.md#log-entry-details. */
export function logEntryDetailsResource({ notification, payload, deliveries }: LogEntryDetails) {
  return {
    ...logEntryResource(notification),
    /** The broadcast that the notification is part of */
    broadcastId: notification.broadcastId,
    /** Where the texts come from; null if nothing was rendered, and in entries from before 0.3 */
    templateSource: notification.templateSource,
    /** The data of the send, with `***` in place of sensitive values */
    payload,
    /** The log entry of the digest that its mail was part of */
    digestId: notification.digestId,
    /** If it is a digest: the number of its notifications */
    digestSize: notification.digestSize,
    deliveries: deliveries.map(deliveryResource),
  }
}

function deliveryResource({ channel, delivery, attempts, next }: ChannelHistory) {
  const isAccepted = attempts.at(-1)?.outcome === 'accepted'
  return {
    channel,
    /** `pending` if another attempt follows */
    status: next ? ('pending' as const) : (delivery?.status ?? ('failed' as const)),
    /** The latest 100, oldest first */
    attempts: attempts.map(deliveryAttemptResource),
    /** The `Message-ID` of a mail, or the `Topic` of a push message, once it was accepted */
    providerMessageId: delivery?.providerMessageId ?? null,
    /** Why the last attempt failed, or why none was made */
    error: delivery ? delivery.error : isAccepted ? null : (attempts.at(-1)?.text ?? null),
    /** When the channel is tried again; null also while its broadcast is paused */
    nextAttemptAt: isoTimestamp(next?.at ?? null),
  }
}

function deliveryAttemptResource({ at, outcome, code, text }: DeliveryAttempt) {
  return {
    at: isoTimestamp(at),
    /**
     * `deferred` is a temporary failure, `rejected` a permanent one. `bounced` means that the mail
     * was accepted and came back.
     */
    outcome,
    /** The SMTP reply code, or the HTTP status of the push service; null without a reply */
    code,
    /** What the server said, or what went wrong */
    text,
  }
}
