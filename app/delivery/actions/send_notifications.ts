import type { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import { Overloaded } from '#core/exceptions/problems'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { toProblem } from '#core/exceptions/to_problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import type { Reservation } from '#core/values/budget'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { deliver } from '#app/delivery/actions/deliver'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import {
  type RecipientsByRequest,
  readRecipientsByRequest,
  prepareNotificationBatch,
} from '#app/delivery/actions/prepare_notifications'
import { type ResolvedRequest, resolveRequests } from '#app/delivery/actions/resolve_requests'
import { type FinishedDelivery, recordDeliveries } from '#app/delivery/actions/record_deliveries'
import { RecipientErased } from '#app/delivery/actions/record_notifications'
import { type SendOutcome, sendDurably } from '#app/delivery/actions/send_durably'
import { storeSends } from '#app/delivery/actions/store_sends'
import {
  MAX_MESSAGE_SIZE,
  BATCH_LIMITS,
  MAX_BATCH_SIZE,
  budgetHolder,
  messageBudget,
} from '#app/delivery/message_budget'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import sendingConfig from '#config/sending'

const MAX_PARALLEL = 20
/** Besides one for each recipient, who can be erased in the meantime. */
const MAX_ATTEMPTS = 20

const RETRY_LATER = { headers: { 'retry-after': '5' } }

/** Returns a result or a problem for each request, in order. Problems are passed on. */
export async function sendNotifications(
  requests: (NotificationRequest | Problem)[],
  caller: InternalCaller,
  deadline: Deadline,
  key?: KeyClaim
): Promise<(SendResult | Problem)[]> {
  const resolved = await resolveRequests(requests, caller)
  const accepted = resolved.filter((item): item is ResolvedRequest => !(item instanceof Problem))
  const results = await sendInBatches(accepted, { caller, deadline, key })
  return resolved.map((item) => (item instanceof Problem ? item : results.get(item)!))
}

interface SendOptions {
  caller: InternalCaller
  deadline: Deadline
  key?: KeyClaim
}

/** Keeps few large messages in memory: a batch is rendered once the previous one is sent. */
async function sendInBatches(requests: ResolvedRequest[], options: SendOptions) {
  const recipients = await readRecipientsByRequest(requests)
  const results: (SendResult | Problem)[] = []
  while (results.length < requests.length) {
    const rest = requests.slice(results.length)
    try {
      results.push(...(await sendNextBatch(rest, recipients, options)))
    } catch (error) {
      if (results.length === 0) throw error
      // The caller must learn what has been sent, or would send it again.
      const problem = toProblem(error)
      if (problem.kind.status >= 500) {
        logger.error({ error: describeError(error) }, 'The rest of a bulk send failed')
      }
      results.push(...rest.map(() => problem))
    }
  }
  return new Map(requests.map((request, index) => [request, results[index]]))
}

async function sendNextBatch(
  requests: ResolvedRequest[],
  recipients: RecipientsByRequest,
  options: SendOptions
) {
  const reservation = await reserve(requests.length, options)
  if (reservation === null) throw new Overloaded(RETRY_LATER)
  return sendBatch(requests, recipients, reservation, options)
}

async function reserve(count: number, { caller, deadline }: SendOptions) {
  if (deadline.hasPassed) return null
  const size = Math.min(count * MAX_MESSAGE_SIZE, MAX_BATCH_SIZE)
  return messageBudget.reserve(budgetHolder(caller), size, deadline)
}

async function sendBatch(
  requests: ResolvedRequest[],
  recipients: RecipientsByRequest,
  reservation: Reservation,
  { deadline, key }: SendOptions
): Promise<SendResult[]> {
  const rounds: Promise<unknown>[] = []
  try {
    const { prepared, stored } = await prepareAndStore(requests, recipients, reservation, key)
    const finished: FinishedDelivery[] = []
    const outcomes = await inParallel(prepared, MAX_PARALLEL, async (item, index) => {
      const { id, reference, pending, dueAt } = stored[index]
      if (dueAt && item.record.statusReason === 'DIGEST') {
        return { ...item.record, scheduledFor: dueAt }
      }
      if (item.record.scheduledFor || item.channels.length === 0) return item.record
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
    // Rounds may outlast the request.
    void Promise.allSettled(rounds).then(() => reservation.release())
  }
}

/** A user who is erased in the meantime gets a new record, as after an erasure. */
async function prepareAndStore(
  requests: ResolvedRequest[],
  recipients: RecipientsByRequest,
  reservation: Reservation,
  key?: KeyClaim
) {
  let prepared = await prepareNotificationBatch(requests, recipients, BATCH_LIMITS)
  const mostAttempts = MAX_ATTEMPTS + prepared.length
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = await storeSends(prepared, (index) => retryHoursOf(requests[index]), key)
      reservation.shrinkTo(prepared.reduce((sum, { size }) => sum + size, 0))
      return { prepared, stored }
    } catch (error) {
      if (!(error instanceof RecipientErased) || attempt === mostAttempts) throw error
      prepared = await prepareChanged(requests.slice(0, prepared.length), prepared)
    }
  }
}

/**
 * Only those whose recipients have other records now, because more may be erased in the meantime.
 */
async function prepareChanged(requests: ResolvedRequest[], prepared: PreparedNotification[]) {
  const recipients = await readRecipientsByRequest(requests)
  return inParallel(requests, BATCH_LIMITS.parallel, async (request, index) => {
    const recipientId = recipients.get(request)?.user.id ?? null
    if (recipientId === prepared[index].recipientId) return prepared[index]
    const [changed] = await prepareNotificationBatch([request], recipients, BATCH_LIMITS)
    return changed
  })
}

const retryHoursOf = ({ request }: ResolvedRequest) =>
  request.retryHours ?? sendingConfig.retryHours

function resultOf(
  id: number,
  outcome: SendOutcome & { scheduledFor?: DateTime | null }
): SendResult {
  const { status, statusReason, retryUntil, scheduledFor } = outcome
  return {
    id,
    status,
    statusReason,
    ...(retryUntil !== undefined && { retryUntil }),
    ...(scheduledFor && { scheduledFor: isoTimestamp(scheduledFor) }),
  }
}
