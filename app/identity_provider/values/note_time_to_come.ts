import logger from '@adonisjs/core/services/logger'

const REPEAT_AFTER_MS = 60 * 60_000

let notedAt = Number.NEGATIVE_INFINITY

/** Warns operators, at most once an hour, that a source of events has a wrong clock. */
export function noteTimeToCome(occurredAt: string) {
  const now = performance.now()
  if (now - notedAt < REPEAT_AFTER_MS) return
  notedAt = now
  logger.warn(
    { occurredAt },
    'The identity provider tells of a time in the future, which counts as now: check the clocks'
  )
}
