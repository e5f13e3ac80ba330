import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'

/** The revision of the last change that a response reflects (changes.md#revisions). */
export const REVISION = 'concierge-revision'
/** The revision of a change that a response must reflect. */
const AT_LEAST = 'concierge-at-least'
/** The revision of the last event that a client of the change feed has received. */
const LAST_EVENT_ID = 'last-event-id'

const MAX_DIGITS = 15

export function setRevisionHeader({ response }: HttpContext, revision: number) {
  response.header(REVISION, String(revision))
}

/** A part of the response reflects no later change than this. */
export function limitRevisionHeader(ctx: HttpContext, revision: number) {
  const stated = Number(ctx.response.getHeader(REVISION) ?? Infinity)
  if (revision < stated) setRevisionHeader(ctx, revision)
}

/** @throws ValidationError if the header is not a revision */
export const requiredRevision = (ctx: HttpContext) => revisionIn(ctx, AT_LEAST)

/** @throws ValidationError if the header is not a revision */
export const lastReceivedRevision = (ctx: HttpContext) => revisionIn(ctx, LAST_EVENT_ID)

function revisionIn({ request }: HttpContext, header: string): number | undefined {
  const given = request.request.headers[header]
  if (given === undefined) return undefined
  if (typeof given === 'string' && given.length <= MAX_DIGITS && /^\d+$/.test(given)) {
    return Number(given)
  }
  const message = `${header} must be a revision: digits, as in the header ${REVISION}`
  throw invalidField(header, 'revision', message)
}
