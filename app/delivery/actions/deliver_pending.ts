import { Deadline } from '#core/values/deadline'
import { deliver } from '#app/delivery/actions/deliver'
import { type RoundOutcome, recordPendingRound } from '#app/delivery/actions/record_pending_round'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import { trackRound } from '#app/delivery/actions/track_round'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { isLastRound } from '#app/delivery/values/send_retries'
import sendingConfig from '#config/sending'

/** Runs and records one round of a claimed send. Null if the round failed. */
export function deliverPending(
  send: ClaimedSend,
  message: OutgoingMessage
): Promise<RoundOutcome | null> {
  return trackRound(() => deliverRound(send, message))
}

async function deliverRound(send: ClaimedSend, message: OutgoingMessage): Promise<RoundOutcome> {
  const isLast = isLastRound(send.giveUpAt)
  const { results, outcome } = await deliver(
    message,
    send.channels,
    new Deadline(sendingConfig.roundMs)
  )
  const mayContinue = outcome.status === 'failed' && !isLast
  const channels = mayContinue
    ? send.channels.filter((channel) => results.get(channel)?.isTemporary)
    : []
  return recordPendingRound(send, { outcome, results, channels })
}
