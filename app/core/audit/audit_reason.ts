import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'

export const REASON_HEADER = 'x-audit-reason'
export const MAX_REASON_LENGTH = 500

/**
 * Why a request makes a change, as its header says. Node.js reads headers as Latin-1, and clients
 * send UTF-8.
 *
 * @throws ValidationError if it is too long
 */
export function auditReason({ request }: HttpContext): string | null {
  const given = request.header(REASON_HEADER)
  if (given === undefined) return null
  const reason = Buffer.from(given, 'latin1').toString('utf8').trim()
  if (reason.length > MAX_REASON_LENGTH) {
    const message = `${REASON_HEADER} must have at most ${MAX_REASON_LENGTH} characters`
    throw invalidField(REASON_HEADER, 'maxLength', message, { max: MAX_REASON_LENGTH })
  }
  return reason === '' ? null : reason
}
