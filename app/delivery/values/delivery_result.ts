/** What became of one channel's attempt to deliver, retries included. */
export interface DeliveryResult {
  status: 'sent' | 'failed'
  /** How often the other side was tried. */
  attempts: number
  providerMessageId: string | null
  /** A short text for the record; null when delivered. */
  error: string | null
  /** Whether it failed for a reason that may pass by itself, so that a later attempt makes sense. */
  mayPass?: boolean
}

/** Errors go into the record, so they stay short and on one line. */
export function failedDelivery(error: string, attempts = 0, mayPass = false): DeliveryResult {
  const text = error.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return { status: 'failed', attempts, providerMessageId: null, error: text.slice(0, 300), mayPass }
}
