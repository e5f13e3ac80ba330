import { parseDeliveryReport } from '#app/bounces/reports/delivery_report'
import { parseFeedbackReport } from '#app/bounces/reports/feedback_report'
import { contentTypeOf, findPart, parsePart } from '#app/bounces/reports/mime_part'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

const DELIVERY_STATUS = ['message/delivery-status', 'message/global-delivery-status']
const FEEDBACK_REPORT = 'message/feedback-report'

/** What a mail says about the recipient of another one. */
export interface ReportedBounce {
  kind: BounceKind
  text: string | null
}

/**
 * Reads a delivery report (RFC 3464) or a complaint (RFC 5965). Null for any other mail, such as an
 * automatic reply, and for a report that is not about this recipient.
 */
export function readReport(mail: Buffer, recipient: string): ReportedBounce | null {
  const part = findPart(parsePart(mail.toString('latin1')), [...DELIVERY_STATUS, FEEDBACK_REPORT])
  if (part === null) return null
  if (contentTypeOf(part) === FEEDBACK_REPORT) {
    const complaint = parseFeedbackReport(part.body)
    const isMeant = complaint !== null && (complaint.recipient ?? recipient) === recipient
    return isMeant ? { kind: 'complaint', text: complaint.text } : null
  }
  const reports = parseDeliveryReport(part.body).filter(({ recipients }) =>
    recipients.includes(recipient)
  )
  const report = reports.find(({ kind }) => kind === 'hard') ?? reports[0]
  return report === undefined ? null : { kind: report.kind, text: report.text }
}
