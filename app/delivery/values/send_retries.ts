import { DateTime } from 'luxon'
import { backOffMs } from '#core/values/back_off'
import sendingConfig from '#config/sending'

const { firstPauseMs, longestPauseMs, toleranceMs, unconfirmedPauseMs } = sendingConfig
const PAUSES = { firstMs: firstPauseMs, longestMs: longestPauseMs, jitter: 0.2 }
const UNCONFIRMED_PAUSES = { firstMs: unconfirmedPauseMs, jitter: 0.2 }

/**
 * Pauses double, and the last round is at the end of the retry period.
 *
 * @param unconfirmed how many rounds ended without the reply of a server that had received the
 *   mail, if this one did
 */
export function nextRoundAt(rounds: number, giveUpAt: DateTime, unconfirmed = 0): DateTime {
  const milliseconds =
    unconfirmed > 1 ? backOffMs(unconfirmed - 1, UNCONFIRMED_PAUSES) : backOffMs(rounds, PAUSES)
  return DateTime.min(DateTime.utc().plus({ milliseconds }), giveUpAt)
}

export const isLastRound = (giveUpAt: DateTime) => DateTime.utc() >= giveUpAt

/** Leaves some time after the end of the retry period for the last round to start. */
export const hasRetryPeriodEnded = (giveUpAt: DateTime) =>
  DateTime.utc() > giveUpAt.plus({ milliseconds: toleranceMs })
