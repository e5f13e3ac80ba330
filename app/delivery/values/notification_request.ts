/** One notification somebody asks for (specification 4.6). */
export interface NotificationRequest {
  recipientEmail: string
  appCode: string
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
}

export interface SendResult {
  id: number
  status: 'sent' | 'failed' | 'skipped'
  statusReason: string | null
}
