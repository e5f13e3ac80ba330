import { DateTime } from 'luxon'
import sendingConfig from '#config/sending'

const { firstPauseMs, longestPauseMs, toleranceMs } = sendingConfig

/**
 * When the next round is due: pauses grow, and the last round is at the end of the retry period.
 */
export function nextRound(rounds: number, giveUpAt: DateTime): DateTime {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(rounds - 1, 20), longestPauseMs)
  const jittered = pause * (0.8 + Math.random() * 0.4)
  return DateTime.min(DateTime.utc().plus({ milliseconds: jittered }), giveUpAt)
}

/** Whether a round that starts now is the last one. */
export const isLastRound = (giveUpAt: DateTime) => DateTime.utc() >= giveUpAt

/** Whether it is too late even for a last round. */
export const isTooLate = (giveUpAt: DateTime) =>
  DateTime.utc() > giveUpAt.plus({ milliseconds: toleranceMs })
