import { shortLine } from '#core/values/short_line'
import type Notification from '#app/notifications/models/notification'
import { sensitiveTexts } from '#app/notifications/values/sensitive_variables'

/** A reply code and an enhanced status code (RFC 3463). */
const CODES = /^(?:[245]\d\d)?[ -]?(?:[245]\.\d{1,3}\.\d{1,3})?(?=\s|$)/

/**
 * What may be recorded and shown of a text about a mail. Of mails with codes and links, which the
 * server may quote, only its codes are kept (delivery.md#delivery-attempts).
 */
export function recordableText(
  text: string | null,
  { inInbox, payload, sensitiveVariables }: Notification
): string | null {
  if (text === null) return null
  if (inInbox) return shortLine(text, sensitiveTexts(payload, sensitiveVariables ?? [])) || null
  return CODES.exec(text.trim())?.[0].trim() || null
}
