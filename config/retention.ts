import env from '#start/env'

/** How many days something is kept; null keeps it for ever. */
function days(
  name:
    | 'RETENTION_LOGIN_RECORDS_DAYS'
    | 'RETENTION_NOTIFICATIONS_DAYS'
    | 'RETENTION_BROADCAST_RECIPIENTS_DAYS',
  fallback: number
): number | null {
  const value = env.get(name) ?? fallback
  return value === 0 ? null : value
}

/** When rows are deleted, and how fast. */
export default {
  loginRecordsDays: days('RETENTION_LOGIN_RECORDS_DAYS', 400),
  notificationsDays: days('RETENTION_NOTIFICATIONS_DAYS', 400),
  broadcastRecipientsDays: days('RETENTION_BROADCAST_RECIPIENTS_DAYS', 90),

  /** Rows that one step deletes: few enough that other writers hardly wait. */
  step: { sqlite: 500, pg: 2_000 },
  /** How long to pause after a step, and how often to look for expired rows. */
  pauseMs: 250,
  lookEveryMs: 60_000,
}
