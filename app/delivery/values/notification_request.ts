/** One notification somebody asks for (notifications.md#send-request). */
export interface NotificationRequest {
  recipientEmail: string
  appCode: string
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
  /**
   * For how many hours a temporary failure is retried; by default as long as the platform's
   * setting.
   */
  retryHours?: number
}

export interface SendResult {
  id: number
  status: 'sent' | 'failed' | 'skipped'
  statusReason: string | null
  /** Until when a send that failed temporarily is retried. */
  retryUntil?: string
}
