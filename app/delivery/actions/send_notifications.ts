import { Problem } from '#core/exceptions/problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { deliver } from '#app/delivery/actions/deliver'
import type { HeldKey } from '#app/delivery/actions/once_per_key'
import { prepareNotifications } from '#app/delivery/actions/prepare_notifications'
import { type ReadRequest, readRequests } from '#app/delivery/actions/read_requests'
import { type FinishedDelivery, recordDeliveries } from '#app/delivery/actions/record_notifications'
import { type SendOutcome, sendDurably } from '#app/delivery/actions/send_durably'
import { storeSends } from '#app/delivery/actions/store_sends'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import sendingConfig from '#config/sending'

/** How many notifications of one request are under way at a time. */
const PARALLEL = 20

/**
 * Sends notifications as specification 4.6 says, each on its own: plan, render, record, deliver,
 * record what became of it. A durable one is retried later if it fails temporarily. In place of one
 * that cannot be served stands its problem; nothing is sent or recorded for it.
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
  const results = await send(served, deadline, held)
  const next = results.values()
  return read.map((item) => (item instanceof Problem ? item : next.next().value!))
}

async function send(
  reads: ReadRequest[],
  deadline: Deadline,
  held?: HeldKey
): Promise<SendResult[]> {
  const prepared = await prepareNotifications(reads)
  const stored = await storeSends(prepared, (index) => retryHoursOf(reads[index]), held)
  const finished: FinishedDelivery[] = []
  const outcomes = await inParallel(prepared, PARALLEL, async (item, index) => {
    const { id, reference, pending } = stored[index]
    if (item.channels.length === 0) return item.record
    if (pending) return sendDurably({ id, reference, pending }, item, deadline)
    const delivered = await deliver(item.outgoing(reference), item.channels, deadline)
    finished.push({ id, ...delivered })
    return delivered.outcome
  })
  await recordDeliveries(finished)
  return stored.map(({ id }, index) => resultOf(id, outcomes[index]))
}

const retryHoursOf = ({ request }: ReadRequest) => request.retryHours ?? sendingConfig.retryHours

function resultOf(id: number, { status, statusReason, retryUntil }: SendOutcome): SendResult {
  return { id, status, statusReason, ...(retryUntil !== undefined && { retryUntil }) }
}
