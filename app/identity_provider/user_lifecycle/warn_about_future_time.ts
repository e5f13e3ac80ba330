import logger from '@adonisjs/core/services/logger'

const REPEAT_AFTER_MS = 60 * 60_000

let warnedAt = Number.NEGATIVE_INFINITY

/** At most once an hour. */
export function warnAboutFutureTime(occurredAt: string) {
  const now = performance.now()
  if (now - warnedAt < REPEAT_AFTER_MS) return
  warnedAt = now
  logger.warn(
    { occurredAt },
    'The identity provider reported a time in the future, so the current time is used. Check the clocks'
  )
}
