import { setTimeout as pause } from 'node:timers/promises'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { Deadline } from '#core/values/deadline'
import { deliverPending } from '#app/delivery/actions/deliver_pending'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import type { ClaimedSend, StoredSend } from '#app/delivery/actions/store_sends'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { SendResult } from '#app/delivery/values/notification_request'

export type SendOutcome = DeliveryOutcome & Pick<SendResult, 'retryUntil'>

/**
 * Runs the first round. If the time of the request is over first, the round continues.
 * @param onStart receives the round, which may outlast the request
 */
export async function sendDurably(
  { reference, pending }: StoredSend & { pending: ClaimedSend },
  { record, outgoing }: PreparedNotification,
  deadline: Deadline,
  onStart: (round: Promise<unknown>) => void
): Promise<SendOutcome> {
  const retryUntil = isoTimestamp(pending.giveUpAt)
  const { status, statusReason } = record
  const unfinished = { status, statusReason, retryUntil }
  // The round becomes due when the claim expires.
  if (deadline.hasPassed) return unfinished
  const round = deliverPending(pending, outgoing(reference))
  onStart(round)
  const timeIsUp = pause(deadline.remainingMs, null, { ref: false })
  const result = await Promise.race([round, timeIsUp])
  if (result === null) return unfinished
  const outcome = { status: result.status, statusReason: result.statusReason }
  return result.isPending && outcome.status !== 'sent' ? { ...outcome, retryUntil } : outcome
}
