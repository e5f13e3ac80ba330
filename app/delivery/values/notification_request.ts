/** One notification somebody asks for (specification 4.6). */
export interface NotificationRequest {
  recipientEmail: string
  appCode: string
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
  /** For how long what fails for a passing reason is tried again; absent: as the platform says. */
  retryHours?: number
}

export interface SendResult {
  id: number
  status: 'sent' | 'failed' | 'skipped'
  statusReason: string | null
  /** Until when a send that failed for a passing reason is tried again. */
  retryUntil?: string
}
