import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import { Overloaded } from '#core/exceptions/problems'
import { toProblem } from '#core/exceptions/to_problem'
import { type InternalCaller, confinedTo } from '#app/auth/values/internal_caller'
import type { Reservation } from '#core/values/budget'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { deliver } from '#app/delivery/actions/deliver'
import type { HeldKey } from '#app/delivery/actions/once_per_key'
import { type Facts, factsFor, preparePortion } from '#app/delivery/actions/prepare_notifications'
import { type ReadRequest, readRequests } from '#app/delivery/actions/read_requests'
import { type FinishedDelivery, recordDeliveries } from '#app/delivery/actions/record_notifications'
import { type SendOutcome, sendDurably } from '#app/delivery/actions/send_durably'
import { storeSends } from '#app/delivery/actions/store_sends'
import { LARGEST, PORTION, PORTION_ROOM, messageRoom } from '#app/delivery/message_room'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import sendingConfig from '#config/sending'

/** How many notifications of one request are under way at a time. */
const PARALLEL = 20

const RETRY_LATER = { headers: { 'retry-after': '5' } }

/**
 * Sends notifications, each on its own: plan, render, record, deliver, record the outcome. A durable
 * one is retried later if it fails temporarily. One that cannot be served is replaced by its
 * problem; nothing is sent or recorded for it.
 *
 * @param deadline by when delivering has to be over; what is not delivered by then has failed
 * @param held the key of a request for one notification
 */
export async function sendNotifications(
  requests: NotificationRequest[],
  caller: InternalCaller,
  deadline: Deadline,
  held?: HeldKey
): Promise<(SendResult | Problem)[]> {
  const read = await readRequests(requests, caller)
  const served = read.filter((item): item is ReadRequest => !(item instanceof Problem))
  const results = await sendInPortions(served, { caller, deadline, held })
  const next = results.values()
  return read.map((item) => (item instanceof Problem ? item : next.next().value!))
}

interface Sending {
  caller: InternalCaller
  deadline: Deadline
  held?: HeldKey
}

/** Large messages are not all in memory at once: the next are rendered when these are sent. */
async function sendInPortions(reads: ReadRequest[], sending: Sending) {
  const facts = await factsFor(reads)
  const results: (SendResult | Problem)[] = []
  while (results.length < reads.length) {
    const rest = reads.slice(results.length)
    try {
      results.push(...(await sendFirst(rest, facts, sending)))
    } catch (error) {
      if (results.length === 0) throw error
      // What has been sent must be answered, or it would be sent again.
      const problem = toProblem(error)
      if (problem.kind.status >= 500) {
        logger.error({ error: describeError(error) }, 'The rest of a bulk send failed')
      }
      results.push(...rest.map(() => problem))
    }
  }
  return results
}

/**
 * Sends as many of the first as are rendered at a time.
 *
 * @throws Overloaded when there is no room for them in time
 */
async function sendFirst(reads: ReadRequest[], facts: Facts, sending: Sending) {
  const room = await reserveRoom(reads.length, sending)
  if (room === null) throw new Overloaded(RETRY_LATER)
  return sendPortion(reads, facts, room, sending)
}

/** Null when there is none in time. */
async function reserveRoom(count: number, { caller, deadline }: Sending) {
  if (deadline.isOver) return null
  const only = confinedTo(caller)
  const holder = only === null ? 'platform' : `application ${only}`
  return messageRoom.reserve(holder, Math.min(count * LARGEST, PORTION_ROOM), deadline)
}

/** @param room Given back once all of it is sent */
async function sendPortion(
  reads: ReadRequest[],
  facts: Facts,
  room: Reservation,
  { deadline, held }: Sending
): Promise<SendResult[]> {
  const rounds: Promise<unknown>[] = []
  try {
    const prepared = await preparePortion(reads, facts, PORTION)
    room.shrinkTo(prepared.reduce((sum, { size }) => sum + size, 0))
    const stored = await storeSends(prepared, (index) => retryHoursOf(reads[index]), held)
    const finished: FinishedDelivery[] = []
    const outcomes = await inParallel(prepared, PARALLEL, async (item, index) => {
      const { id, reference, pending } = stored[index]
      if (item.channels.length === 0) return item.record
      if (pending) {
        const durable = { id, reference, pending }
        return sendDurably(durable, item, deadline, (round) => rounds.push(round))
      }
      const delivered = await deliver(item.outgoing(reference), item.channels, deadline)
      finished.push({ id, ...delivered })
      return delivered.outcome
    })
    await recordDeliveries(finished)
    return stored.map(({ id }, index) => resultOf(id, outcomes[index]))
  } finally {
    // A round may outlast its request.
    void Promise.allSettled(rounds).then(() => room.release())
  }
}

const retryHoursOf = ({ request }: ReadRequest) => request.retryHours ?? sendingConfig.retryHours

function resultOf(id: number, { status, statusReason, retryUntil }: SendOutcome): SendResult {
  return { id, status, statusReason, ...(retryUntil !== undefined && { retryUntil }) }
}
