import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'

/** `deferred` is a temporary failure, `rejected` a permanent one; `bounced` comes back later. */
export type AttemptOutcome = 'accepted' | 'deferred' | 'rejected' | 'bounced'

/** One attempt to hand a message over, to a mail server or to the push service of one browser. */
export interface AttemptReport {
  /** As stored in the database */
  at: string
  outcome: AttemptOutcome
  /** The SMTP reply code, or the HTTP status of the push service; null without a reply */
  code: number | null
  text: string | null
}

export function attemptNow(
  outcome: AttemptOutcome,
  code: number | null = null,
  text: string | null = null
): AttemptReport {
  return { at: toDatabaseTimestamp(DateTime.utc()), outcome, code, text }
}
