import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
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
export async function countReasons(broadcastId: number, client?: TransactionClientContract) {
  return {
    failed: await reasonsOf(broadcastId, 'failed', client),
    skipped: await reasonsOf(broadcastId, 'skipped', client),
  }
}

async function reasonsOf(
  broadcastId: number,
  status: 'failed' | 'skipped',
  client?: TransactionClientContract
): Promise<OutcomeReasons> {
  const counts = new Map<string | null, number>()
  const recent = { broadcastId, status, limit: MAX_EXAMINED }
  for (const { statusReason, count } of await recipientReasons(recent, client)) {
    const reason = reasonCode(statusReason)
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }))
  return {
    examined: reasons.reduce((sum, { count }) => sum + count, 0),
    reasons: reasons.toSorted((one, other) => other.count - one.count),
  }
}
