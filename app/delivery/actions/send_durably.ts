import { setTimeout as pause } from 'node:timers/promises'
import { isoTimestamp } from '#core/database/columns'
import type { Deadline } from '#core/values/deadline'
import { deliverPending } from '#app/delivery/actions/deliver_pending'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notifications'
import type { ClaimedSend, StoredSend } from '#app/delivery/actions/store_sends'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { SendResult } from '#app/delivery/values/notification_request'

/** The result of a send for the request. */
export type SendOutcome = DeliveryOutcome & Pick<SendResult, 'retryUntil'>

/**
 * Runs the first round of a durable send. If the request's time ends before the round does, the
 * round continues and records its own result.
 */
export async function sendDurably(
  { reference, pending }: StoredSend & { pending: ClaimedSend },
  { record, outgoing }: PreparedNotification,
  deadline: Deadline
): Promise<SendOutcome> {
  const retryUntil = isoTimestamp(pending.giveUpAt)
  const { status, statusReason } = record
  const unfinished = { status, statusReason, retryUntil }
  // Not started: it is due when the claim expires.
  if (deadline.isOver) return unfinished
  const timeIsUp = pause(deadline.left, null, { ref: false })
  const round = await Promise.race([deliverPending(pending, outgoing(reference)), timeIsUp])
  if (round === null) return unfinished
  const { isPending, ...outcome } = round
  return isPending ? { ...outcome, retryUntil } : outcome
}
