import type { JWTPayload } from 'jose'
import logger from '@adonisjs/core/services/logger'

const REPEAT_AFTER_MS = 60 * 60_000

let notedAt = Number.NEGATIVE_INFINITY

/**
 * Warns operators, at most once an hour, that the issuer's tokens are valid for more than a day.
 */
export function noteLongLife({ iat, exp, client_id: client }: JWTPayload) {
  const now = performance.now()
  if (now - notedAt < REPEAT_AFTER_MS) return
  notedAt = now
  const facts = { client: typeof client === 'string' ? client : undefined, issued: iat, ends: exp }
  logger.warn(
    facts,
    'An access token is valid for more than a day, and a stolen one stays usable for as long'
  )
}
