import { LoopPauses } from '#core/process/loop_pauses'
import { Deadline } from '#core/values/deadline'
import { lazily } from '#core/values/lazily'
import { deliver } from '#app/delivery/actions/deliver'
import { type RoundOutcome, recordPendingRound } from '#app/delivery/actions/record_pending_round'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import type { Channel } from '#app/delivery/models/delivery'
import { trackRound } from '#app/delivery/actions/track_round'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { isLastRound } from '#app/delivery/values/send_retries'
import mailConfig from '#config/mail'
import sendingConfig from '#config/sending'

/** Runs and records one round of a claimed send. Null if the round failed. */
export function deliverPending(
  send: ClaimedSend,
  message: OutgoingMessage
): Promise<RoundOutcome | null> {
  return trackRound(() => deliverRound(send, message))
}

/** Of this process, from its first round on. */
const processPauses = lazily(() => {
  const pauses = new LoopPauses()
  pauses.watch()
  return pauses
})

async function deliverRound(send: ClaimedSend, message: OutgoingMessage): Promise<RoundOutcome> {
  const pauses = processPauses()
  const startedAt = performance.now()
  const isLast = isLastRound(send.giveUpAt)
  const { results, outcome } = await deliver(
    message,
    send.channels,
    new Deadline(sendingConfig.roundMs, mailConfig.socketTimeoutMs)
  )
  const hasFailed = outcome.status === 'failed'
  const temporary = send.channels.filter((channel) => results.get(channel)?.isTemporary)
  // The process used up the time itself, so the round is repeated when its claim ends.
  if (hasFailed && isLast && temporary.length > 0 && pauses.hasPausedSince(startedAt)) {
    return { ...outcome, isPending: true }
  }
  // A push message that is tried again keeps to its pauses.
  const isPostponed =
    results.get('email')?.wasNotOffered === true && (isLast || temporary.length === 1)
  const tried = hasFailed && !isLast ? temporary : []
  const channels: Channel[] = isPostponed ? ['email'] : tried
  return recordPendingRound(send, { outcome, results, channels, isPostponed })
}
