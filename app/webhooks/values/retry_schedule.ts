import { DateTime } from 'luxon'
import { backOffMs } from '#core/values/back_off'
import webhooksConfig from '#config/webhooks'

const { firstPauseMs: firstMs, longestPauseMs: longestMs, pauseFactor: factor } = webhooksConfig
const PAUSES = { firstMs, longestMs, factor, jitter: 0.2 }

export const giveUpAfter = (start: DateTime) => start.plus({ hours: webhooksConfig.retryHours })

/** The last attempt is at the end of the period. @param attempts those that failed */
export function nextAttemptAt(attempts: number, giveUpAt: DateTime): DateTime {
  const milliseconds = backOffMs(attempts, PAUSES)
  return DateTime.min(DateTime.utc().plus({ milliseconds }), giveUpAt)
}
