import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** See notifications.md#outcome and notifications.md#status-reasons. */
export interface DeliveryOutcome {
  status: NotificationStatus
  statusReason: string | null
}

export const CHANNEL_ERRORS: Record<Channel, string> = { email: 'SMTP_ERROR', push: 'PUSH_ERROR' }

/** The reason while a delivery is in progress, so also the final one if the process dies. */
export const unfinishedReason = (channel: Channel) =>
  `${CHANNEL_ERRORS[channel]}: the delivery did not finish`

/** The reason without its text, such as what a mail server said about the recipient. */
export function reasonCode(statusReason: string): string
export function reasonCode(statusReason: string | null): string | null
export function reasonCode(statusReason: string | null) {
  return statusReason?.split(':', 1)[0] ?? null
}

/** One successful channel is enough, but the reason names every failed one. */
export function outcomeOf(
  results: Map<Channel, Pick<DeliveryResult, 'status' | 'error'>>
): DeliveryOutcome {
  const reasons: string[] = []
  for (const [channel, { status, error }] of results) {
    if (status === 'failed') reasons.push(`${CHANNEL_ERRORS[channel]}: ${error}`)
  }
  return {
    status: reasons.length < results.size ? 'sent' : 'failed',
    statusReason: reasons.length === 0 ? null : reasons.join('; '),
  }
}
