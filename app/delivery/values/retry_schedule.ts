import { DateTime } from 'luxon'
import sendingConfig from '#config/sending'

const { firstPauseMs, longestPauseMs, toleranceMs } = sendingConfig

/** Pauses double, and the last round is at the end of the retry period. */
export function nextRoundAt(rounds: number, giveUpAt: DateTime): DateTime {
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(rounds - 1, 20), longestPauseMs)
  const jitteredMs = pauseMs * (0.8 + Math.random() * 0.4)
  return DateTime.min(DateTime.utc().plus({ milliseconds: jitteredMs }), giveUpAt)
}

export const isLastRound = (giveUpAt: DateTime) => DateTime.utc() >= giveUpAt

/** Leaves some time after the end of the retry period for the last round to start. */
export const hasRetryPeriodEnded = (giveUpAt: DateTime) =>
  DateTime.utc() > giveUpAt.plus({ milliseconds: toleranceMs })
