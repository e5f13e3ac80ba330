import { isoTimestamp } from '#core/values/iso_timestamp'
import type Broadcast from '#app/broadcasts/models/broadcast'

/** See broadcasts.md#broadcast-fields. */
export function broadcastResource(broadcast: Broadcast) {
  const { audience } = broadcast
  return {
    id: broadcast.id,
    status: broadcast.status,
    statusReason: broadcast.statusReason,
    total: broadcast.total,
    processed: broadcast.processed,
    sent: broadcast.sent,
    failed: broadcast.failed,
    skipped: broadcast.skipped,
    ratePerSecond: broadcast.ratePerSecond,
    createdAt: isoTimestamp(broadcast.createdAt),
    scheduledAt: isoTimestamp(broadcast.scheduledAt),
    startedAt: isoTimestamp(broadcast.startedAt),
    finishedAt: isoTimestamp(broadcast.finishedAt),
    appCode: broadcast.appCode,
    type: broadcast.type,
    template: broadcast.templateKey,
    locale: broadcast.locale,
    audience: audience.kind === 'role' ? { kind: 'role', roleCode: audience.roleCode } : audience,
    createdBy: broadcast.createdBy,
    revision: broadcast.revision,
  }
}
