import { normalizeEmail } from '#core/values/email'
import { parseFields } from '#app/bounces/reports/mime_part'

/** The recipient does not want such mail (RFC 5965, RFC 6430). */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list'])

export interface FeedbackReport {
  /** Canonical; null if the provider does not say who complained */
  recipient: string | null
  text: string
}

/** Reads a complaint (`message/feedback-report`). Null for other feedback, such as `not-spam`. */
export function parseFeedbackReport(body: string): FeedbackReport | null {
  const fields = parseFields(body.trimStart())
  const type = fields.get('feedback-type')?.toLowerCase() ?? ''
  if (!COMPLAINTS.has(type)) return null
  const recipient = fields.get('original-rcpt-to')?.replace(/^<(.*)>$/, '$1')
  // Anything but an address counts as absent: some providers leave a placeholder.
  return { recipient: recipient ? normalizeEmail(recipient) : null, text: type }
}
