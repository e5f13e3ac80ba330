import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** What became of a notification (notifications.md#outcome). `statusReason` starts with a stable code; null when all is well. */
export interface DeliveryOutcome {
  status: NotificationStatus
  statusReason: string | null
}

export const CHANNEL_ERRORS: Record<Channel, string> = { email: 'SMTP_ERROR', push: 'PUSH_ERROR' }

/**
 * The outcome of the attempted channels, at least one: one that delivered is enough, and the reason names the others all
 * the same.
 */
export function outcomeOf(results: Map<Channel, DeliveryResult>): DeliveryOutcome {
  const reasons: string[] = []
  for (const [channel, { status, error }] of results) {
    if (status === 'failed') reasons.push(`${CHANNEL_ERRORS[channel]}: ${error}`)
  }
  return {
    status: reasons.length < results.size ? 'sent' : 'failed',
    statusReason: reasons.length === 0 ? null : reasons.join('; '),
  }
}
