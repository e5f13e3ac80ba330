import type { operations } from './api.ts'

type JsonBody<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** `edit` includes `view`. */
export type Level = 'allowed' | 'view' | 'edit'

export type NotificationRequest = JsonBody<operations['delivery.internal_notifications.store']>

export interface SendResult {
  id: number | null
  status: 'sent' | 'failed' | 'skipped'
  statusReason: string | null
}
