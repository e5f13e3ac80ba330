import { isoTimestamp } from '#core/values/iso_timestamp'
import type { AuditState } from '#core/audit/change'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** For the audit trail, without the data of the message, which can be sensitive. */
export function broadcastState(broadcast: Broadcast): AuditState {
  const { type, templateKey, locale, audience, ratePerSecond, outsideRecipients } = broadcast
  return {
    type,
    template: templateKey,
    locale,
    audience,
    ratePerSecond,
    outsideRecipients,
    scheduledAt: isoTimestamp(broadcast.scheduledAt),
  }
}
