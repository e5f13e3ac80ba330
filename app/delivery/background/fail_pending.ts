import { type RoundOutcome, recordPendingRound } from '#app/delivery/actions/record_pending_round'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import { trackRound } from '#app/delivery/actions/track_round'

export function failPending(send: ClaimedSend, statusReason: string): Promise<RoundOutcome | null> {
  const outcome = { status: 'failed' as const, statusReason }
  return trackRound(() => recordPendingRound(send, { outcome, results: new Map(), channels: [] }))
}
