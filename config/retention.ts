import env from '#start/env'

/** Null keeps rows forever. */
function days(
  name:
    | 'RETENTION_LOGIN_RECORDS_DAYS'
    | 'RETENTION_NOTIFICATIONS_DAYS'
    | 'RETENTION_BROADCAST_RECIPIENTS_DAYS'
    | 'RETENTION_WEBHOOK_DELIVERIES_DAYS'
    | 'AUDIT_RETENTION_DAYS',
  fallback: number
): number | null {
  const value = env.get(name) ?? fallback
  return value === 0 ? null : value
}

export default {
  loginRecordsDays: days('RETENTION_LOGIN_RECORDS_DAYS', 400),
  notificationsDays: days('RETENTION_NOTIFICATIONS_DAYS', 400),
  broadcastRecipientsDays: days('RETENTION_BROADCAST_RECIPIENTS_DAYS', 90),
  webhookDeliveriesDays: days('RETENTION_WEBHOOK_DELIVERIES_DAYS', 30),
  auditEntriesDays: days('AUDIT_RETENTION_DAYS', 0),
  /** How long the change feed can be resumed. */
  changesHours: 24,

  /** Rows per step: few enough that other writers barely wait. */
  step: { sqlite: 500, pg: 2_000 },
  pauseMs: 250,
  checkIntervalMs: 60_000,
}
