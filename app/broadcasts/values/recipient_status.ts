/** `waiting` until the outcome is final (broadcasts.md#recipients). */
export const RECIPIENT_STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const

export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]
