export const NOTIFICATION_STATUSES = ['sent', 'failed', 'skipped', 'scheduled'] as const

export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]
