import { RenderedTooLarge } from '#app/notifications/exceptions'
import { singleLine } from '#app/notifications/rendering/escape'

/**
 * In characters: as many as a line of a header may have (RFC 5322). The mailer takes quadratic time
 * to sign headers of many lines.
 */
export const MAX_SUBJECT_LENGTH = 998

/**
 * Makes a rendered subject one line.
 *
 * @throws RenderedTooLarge
 */
export function subjectLine(text: string): string {
  const subject = singleLine(text)
  if (subject.length <= MAX_SUBJECT_LENGTH) return subject
  throw new RenderedTooLarge({
    detail: `With this data the subject is longer than ${MAX_SUBJECT_LENGTH} characters`,
    details: { field: 'subject', limit: MAX_SUBJECT_LENGTH },
  })
}

/** The same for a subject that must be sent, whatever its length. */
export function cutSubject(text: string): string {
  const subject = singleLine(text).slice(0, MAX_SUBJECT_LENGTH)
  return subject.isWellFormed() ? subject : subject.slice(0, -1)
}
