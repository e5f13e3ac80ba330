export interface DeliveryResult {
  status: 'sent' | 'failed'
  attempts: number
  providerMessageId: string | null
  error: string | null
  /** Whether a later attempt may succeed */
  isTemporary?: boolean
}

/** Errors are recorded, so they are kept short and on one line. */
export function failedDelivery(error: string, attempts = 0, temporary = false): DeliveryResult {
  const text = error.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return {
    status: 'failed',
    attempts,
    providerMessageId: null,
    error: text.slice(0, 300),
    isTemporary: temporary,
  }
}
