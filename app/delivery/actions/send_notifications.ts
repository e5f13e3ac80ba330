import { Problem } from '#core/exceptions/problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { deliver } from '#app/delivery/actions/deliver'
import { prepareNotifications } from '#app/delivery/actions/prepare_notifications'
import { type ReadRequest, readRequests } from '#app/delivery/actions/read_requests'
import { recordDeliveries, recordNotifications } from '#app/delivery/actions/record_notifications'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'

/** How many notifications of one request are under way at a time. */
const PARALLEL = 20

/**
 * Sends notifications as specification 4.6 says, each on its own: plan, render, record, deliver, record what became of
 * it. In place of one that cannot be served stands its problem; nothing is sent or recorded for it.
 *
 * @param deadline by when delivering has to be over; what is not delivered by then has failed
 */
export async function sendNotifications(
  requests: NotificationRequest[],
  caller: InternalCaller,
  deadline: Deadline
): Promise<(SendResult | Problem)[]> {
  const read = await readRequests(requests, caller)
  const served = read.filter((item): item is ReadRequest => !(item instanceof Problem))
  const results = await send(served, deadline)
  const next = results.values()
  return read.map((item) => (item instanceof Problem ? item : next.next().value!))
}

async function send(reads: ReadRequest[], deadline: Deadline): Promise<SendResult[]> {
  const prepared = await prepareNotifications(reads)
  const recorded = await recordNotifications(prepared.map(({ record }) => record))
  const finished = await inParallel(prepared, PARALLEL, async ({ channels, outgoing }, index) => {
    if (channels.length === 0) return null
    const { id, reference } = recorded[index]
    return { id, ...(await deliver(outgoing(reference), channels, deadline)) }
  })
  await recordDeliveries(finished.filter((item) => item !== null))
  return recorded.map(({ id }, index) => {
    const { status, statusReason } = finished[index]?.outcome ?? prepared[index].record
    return { id, status, statusReason }
  })
}
