import type { NotificationStatus } from '#app/notifications/values/notification_status'

/** See notifications.md#send-request. */
export interface NotificationRequest {
  recipientEmail: string
  appCode: string
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
  /** For how long temporary failures are retried; by default the platform's setting */
  retryHours?: number
  /** An ISO timestamp with its offset; by default immediately */
  sendAt?: string
}

export interface SendResult {
  id: number
  status: NotificationStatus
  statusReason: string | null
  /** When the retries of a send that failed temporarily end. */
  retryUntil?: string
  /** When it will be sent, if its status is `scheduled` */
  scheduledFor?: string
}
