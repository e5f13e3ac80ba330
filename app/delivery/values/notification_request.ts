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
}

export interface SendResult {
  id: number
  status: 'sent' | 'failed' | 'skipped'
  statusReason: string | null
  /** When the retries of a send that failed temporarily end. */
  retryUntil?: string
}
