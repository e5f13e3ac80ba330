import type { JWTPayload } from 'jose'
import logger from '@adonisjs/core/services/logger'

const REPEAT_AFTER_MS = 60 * 60_000

let warnedAt = Number.NEGATIVE_INFINITY

export function warnAboutLongLifetime({ iat, exp, client_id: client }: JWTPayload) {
  const now = performance.now()
  if (now - warnedAt < REPEAT_AFTER_MS) return
  warnedAt = now
  const facts = { client: typeof client === 'string' ? client : undefined, issued: iat, ends: exp }
  logger.warn(
    facts,
    'An access token is valid for more than a day; if stolen, it stays usable until it expires'
  )
}
