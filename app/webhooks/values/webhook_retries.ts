import { DateTime } from 'luxon'
import { backOffMs } from '#core/values/back_off'
import webhooksConfig from '#config/webhooks'

const { firstPauseMs: firstMs, longestPauseMs: longestMs, pauseFactor: factor } = webhooksConfig

export const giveUpAfter = (start: DateTime) => start.plus({ hours: webhooksConfig.retryHours })

/**
 * The last attempt is at the end of the period. A replay starts a new period and
 * ignores earlier attempts: no pause is longer than the attempts of the new period would make it.
 *
 * @param attempts those that failed, also in earlier periods
 */
export function nextAttemptAt(attempts: number, giveUpAt: DateTime): DateTime {
  const now = DateTime.utc()
  const ageMs = now.diff(giveUpAt.minus({ hours: webhooksConfig.retryHours })).toMillis()
  const longestNowMs = Math.min(longestMs, firstMs + (factor - 1) * Math.max(0, ageMs))
  const pauses = { firstMs, longestMs: longestNowMs, factor, jitter: 0.2 }
  return DateTime.min(now.plus({ milliseconds: backOffMs(attempts, pauses) }), giveUpAt)
}
