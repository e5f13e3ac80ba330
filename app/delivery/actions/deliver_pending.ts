import logger from '@adonisjs/core/services/logger'
import { whenAvailable } from '#core/database/when_available'
import { describeError } from '#core/exceptions/describe_error'
import { Deadline } from '#core/values/deadline'
import { deliver } from '#app/delivery/actions/deliver'
import { type PendingRound, recordRound } from '#app/delivery/actions/record_pending_round'
import type { ClaimedSend } from '#app/delivery/actions/store_sends'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { isLastRound } from '#app/delivery/values/retry_times'
import sendingConfig from '#config/sending'

const { leaseMs, roundMs } = sendingConfig

export interface RoundOutcome extends DeliveryOutcome {
  /** Whether there will be another round */
  isPending: boolean
}

const underWay = new Set<Promise<unknown>>()

/** Runs and records one round of a claimed send. Null if the round failed. */
export function deliverPending(
  send: ClaimedSend,
  message: OutgoingMessage
): Promise<RoundOutcome | null> {
  return tracked(() => deliverRound(send, message))
}

export function endPending(send: ClaimedSend, statusReason: string): Promise<RoundOutcome | null> {
  const outcome = { status: 'failed' as const, statusReason }
  return tracked(() => writeDown(send, { outcome, results: new Map(), channels: [] }))
}

/** Waits for rounds that outlast their request. */
export async function finishPendingRounds() {
  await Promise.all(underWay)
}

async function deliverRound(send: ClaimedSend, message: OutgoingMessage): Promise<RoundOutcome> {
  const isLast = isLastRound(send.giveUpAt)
  const { results, outcome } = await deliver(message, send.channels, new Deadline(roundMs))
  const mayGoOn = outcome.status === 'failed' && !isLast
  const channels = mayGoOn ? send.channels.filter((channel) => results.get(channel)?.mayPass) : []
  return writeDown(send, { outcome, results, channels })
}

/** Retries for as long as the claim lasts, because an unrecorded message would be sent again. */
async function writeDown(send: ClaimedSend, round: PendingRound): Promise<RoundOutcome> {
  await whenAvailable(() => recordRound(send, round), new Deadline(leaseMs - roundMs))
  return { ...round.outcome, isPending: round.channels.length > 0 }
}

/** Makes the shutdown wait for the work. Null if it failed; the send is retried after its claim. */
export function tracked<T>(work: () => Promise<T>): Promise<T | null> {
  const round = work().catch((error: unknown) => {
    logger.error({ error: describeError(error) }, 'A delivery round of a durable send failed')
    return null
  })
  underWay.add(round)
  void round.finally(() => underWay.delete(round))
  return round
}
