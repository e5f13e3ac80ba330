/** Specification 3.4, decisions 4.3. */
export const NOTIFICATION_STATUSES = ['sent', 'failed', 'skipped'] as const

export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]
