import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'

/** Of the last change that a response reflects (changes.md#revisions). */
const REVISION = 'concierge-revision'
/** Of a change that a response must reflect. */
const AT_LEAST = 'concierge-at-least'

const MAX_DIGITS = 15

export function setRevisionHeader({ response }: HttpContext, revision: number) {
  response.header(REVISION, String(revision))
}

/** @throws ValidationError unless the header is a revision */
export function requiredRevision({ request }: HttpContext): number | undefined {
  const given = request.request.headers[AT_LEAST]
  if (given === undefined) return undefined
  if (typeof given === 'string' && given.length <= MAX_DIGITS && /^\d+$/.test(given)) {
    return Number(given)
  }
  const message = `${AT_LEAST} must be a revision: digits, as in the header ${REVISION}`
  throw invalidField(AT_LEAST, 'revision', message)
}
