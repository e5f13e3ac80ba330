import { RenderedTooLarge } from '#app/notifications/exceptions'
import { singleLine } from '#core/values/single_line'

/**
 * The characters that a header line may have (RFC 5322). nodemailer needs quadratic time to sign a
 * header of many lines.
 */
export const MAX_SUBJECT_LENGTH = 998

/** @throws RenderedTooLarge */
export function subjectLine(text: string): string {
  const subject = singleLine(text)
  if (subject.length <= MAX_SUBJECT_LENGTH) return subject
  throw new RenderedTooLarge({
    detail: `With this data the subject is longer than ${MAX_SUBJECT_LENGTH} characters`,
    details: { field: 'subject', limit: MAX_SUBJECT_LENGTH },
  })
}

/** For mails that must be sent even if their subject is too long. */
export function cutSubject(text: string): string {
  const subject = singleLine(text).slice(0, MAX_SUBJECT_LENGTH)
  return subject.isWellFormed() ? subject : subject.slice(0, -1)
}
