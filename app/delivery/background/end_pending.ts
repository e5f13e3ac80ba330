import { type RoundOutcome, recordPendingRound } from '#app/delivery/actions/record_pending_round'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import { trackRound } from '#app/delivery/actions/track_round'

/** Ends a send without another round. */
export function endPending(
  send: ClaimedSend,
  outcome: DeliveryOutcome
): Promise<RoundOutcome | null> {
  return trackRound(() => recordPendingRound(send, { outcome, results: new Map(), channels: [] }))
}
