import { recipientReasons } from '#app/broadcasts/queries/recipient_reasons'
import { reasonCode } from '#app/delivery/values/delivery_outcome'

/** Recipients of each status whose reason is read. */
export const MAX_EXAMINED = 10_000

/** Why recipients of a broadcast did not get it. */
export interface OutcomeReasons {
  /** How many recipients the counts are about */
  examined: number
  /** The most frequent comes first. */
  reasons: {
    /** A status reason without its text; null if no log entry has it */
    reason: string | null
    count: number
  }[]
}

/** See broadcasts.md#reasons. */
export async function countReasons(broadcastId: number) {
  return {
    failed: await reasonsOf(broadcastId, 'failed'),
    skipped: await reasonsOf(broadcastId, 'skipped'),
  }
}

async function reasonsOf(
  broadcastId: number,
  status: 'failed' | 'skipped'
): Promise<OutcomeReasons> {
  const counts = new Map<string | null, number>()
  for (const { statusReason, count } of await recipientReasons(broadcastId, status, MAX_EXAMINED)) {
    const reason = reasonCode(statusReason)
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }))
  return {
    examined: reasons.reduce((sum, { count }) => sum + count, 0),
    reasons: reasons.toSorted((one, other) => other.count - one.count),
  }
}
