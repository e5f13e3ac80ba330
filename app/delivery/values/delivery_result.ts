import { shortLine } from '#core/values/short_line'
import type { AttemptReport } from '#app/delivery/values/attempt_report'

export interface DeliveryResult {
  status: 'sent' | 'failed'
  attempts: AttemptReport[]
  providerMessageId: string | null
  error: string | null
  /** Whether a later attempt may succeed */
  isTemporary?: boolean
  /** Whether all connections to the server were busy, so that it was not asked */
  wasNotOffered?: boolean
  /** Whether a server may have accepted the mail without having said so */
  isUnconfirmed?: boolean
}

export function failedDelivery(
  error: string,
  attempts: AttemptReport[] = [],
  isTemporary = false
): DeliveryResult {
  return { status: 'failed', attempts, providerMessageId: null, error, isTemporary }
}

/** The result with texts that may be recorded and shown (delivery.md#texts-of-mail-servers). */
export function recordableResult(
  result: DeliveryResult,
  secrets: readonly string[]
): DeliveryResult {
  const lines = new Map<string, string>()
  const shorten = (text: string | null) => {
    if (text === null) return null
    const line = lines.get(text) ?? shortLine(text, secrets)
    lines.set(text, line)
    return line
  }
  return {
    ...result,
    error: shorten(result.error),
    attempts: result.attempts.map((attempt) => ({ ...attempt, text: shorten(attempt.text) })),
  }
}
