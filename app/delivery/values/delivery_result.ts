import { redactSecrets } from '#core/values/redact'
import { shortLine } from '#core/values/short_line'
import type { AttemptReport } from '#app/delivery/values/attempt_report'

export interface DeliveryResult {
  status: 'sent' | 'failed'
  attempts: AttemptReport[]
  providerMessageId: string | null
  error: string | null
  /** Whether a later attempt may succeed */
  isTemporary?: boolean
}

export function failedDelivery(
  error: string,
  attempts: AttemptReport[] = [],
  isTemporary = false
): DeliveryResult {
  const text = shortLine(error)
  return { status: 'failed', attempts, providerMessageId: null, error: text, isTemporary }
}

/** Without the secrets that a server may have quoted. */
export function redactResult(result: DeliveryResult, secrets: string[]): DeliveryResult {
  if (secrets.length === 0) return result
  const redact = (text: string | null) => text && redactSecrets(text, secrets)
  return {
    ...result,
    error: redact(result.error),
    attempts: result.attempts.map((attempt) => ({ ...attempt, text: redact(attempt.text) })),
  }
}
