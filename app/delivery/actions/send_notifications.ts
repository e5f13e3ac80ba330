import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { deliver } from '#app/delivery/actions/deliver'
import { type RecipientFacts, readRecipients } from '#app/delivery/actions/read_recipients'
import { type ReadRequest, readRequests } from '#app/delivery/actions/read_requests'
import {
  type NotificationRecord,
  recordDeliveries,
  recordNotifications,
} from '#app/delivery/actions/record_notifications'
import { channels } from '#app/delivery/channels'
import type { Channel } from '#app/delivery/models/delivery'
import { type ChannelPlan, planChannels } from '#app/delivery/values/channel_plan'
import { CHANNEL_ERRORS } from '#app/delivery/values/delivery_outcome'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import { type ComposedMessage, composeMessage } from '#app/notifications/actions/compose_message'

/** How many notifications of one request are composed or under way at a time. */
const PARALLEL = 20

interface Prepared {
  read: ReadRequest
  facts: RecipientFacts | null
  message: ComposedMessage | null
  record: NotificationRecord
  channels: Channel[]
}

/**
 * Sends notifications as specification 4.6 says, each on its own: plan, render, record, deliver, record what became of
 * it. In place of one that cannot be served stands its problem; nothing is sent or recorded for it.
 *
 * @param deadline by when delivering has to be over; what is not delivered by then has failed
 */
export async function sendNotifications(
  requests: NotificationRequest[],
  deadline: Deadline
): Promise<(SendResult | Problem)[]> {
  const read = await readRequests(requests)
  const served = read.filter((item): item is ReadRequest => !(item instanceof Problem))
  const results = await send(served, deadline)
  const next = results.values()
  return read.map((item) => (item instanceof Problem ? item : next.next().value!))
}

async function send(reads: ReadRequest[], deadline: Deadline): Promise<SendResult[]> {
  const known = reads.filter(({ type }) => type !== null)
  const facts = new Map(zip(known, await readRecipients(known)))
  const prepared = await inParallel(reads, PARALLEL, (item) =>
    prepare(item, facts.get(item) ?? null)
  )
  const recorded = await recordNotifications(prepared.map(({ record }) => record))
  const finished = await inParallel(prepared, PARALLEL, async (item, index) => {
    if (item.channels.length === 0) return null
    const message = {
      reference: recorded[index].reference,
      application: item.read.application,
      type: item.read.type!,
      recipient: item.facts!.user,
      brand: item.facts!.brand,
      subscriptions: item.facts!.subscriptions,
      data: item.read.request.data ?? {},
      ...item.message!,
    }
    return { id: recorded[index].id, ...(await deliver(message, item.channels, deadline)) }
  })
  await recordDeliveries(finished.filter((item) => item !== null))
  return recorded.map(({ id }, index) => {
    const { status, statusReason } = finished[index]?.outcome ?? prepared[index].record
    return { id, status, statusReason }
  })
}

async function prepare(read: ReadRequest, facts: RecipientFacts | null): Promise<Prepared> {
  if (facts === null) {
    const record = recordOf(read, null, { status: 'skipped', statusReason: 'UNKNOWN_TYPE' })
    return { read, facts, message: null, record: { ...record, inInbox: false }, channels: [] }
  }
  const plan = planFor(read, facts)
  const { message, error } = await compose(read, facts)
  const outcome = initialOutcome(plan, error)
  const record = recordOf(read, message, outcome, facts.user.locale)
  return { read, facts, message, record, channels: message ? plan.channels : [] }
}

function planFor({ type }: ReadRequest, facts: RecipientFacts): ChannelPlan {
  return planChannels({
    type: type!,
    preference: facts.preference,
    notificationsEnabled: facts.notificationsEnabled,
    active: facts.user.active,
    reachable: {
      email: channels.email.isConfigured,
      push: channels.push.isConfigured && facts.subscriptions.length > 0,
    },
  })
}

async function compose({ request, application, template }: ReadRequest, facts: RecipientFacts) {
  const { user, brand } = facts
  try {
    const message = await composeMessage({
      application,
      template,
      data: request.data ?? {},
      locale: request.locale ?? user.locale ?? 'en',
      recipient: { email: user.email, name: user.calledName, brand },
    })
    return { message, error: message === null ? 'NO_TEMPLATE' : null }
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'A notification could not be rendered')
    const text = error instanceof Problem ? `: ${error.message}` : ''
    return { message: null, error: `RENDER_ERROR${text}` }
  }
}

/**
 * What the record says while the notification is under way, and for ever if the process dies: that it did not arrive. What is
 * skipped stays skipped, whether it could be rendered or not.
 */
function initialOutcome({ skipped, channels: planned }: ChannelPlan, error: string | null) {
  if (skipped !== null) return { status: 'skipped', statusReason: skipped } as const
  const statusReason = error ?? `${CHANNEL_ERRORS[planned[0]]}: the delivery did not finish`
  return { status: 'failed', statusReason } as const
}

function recordOf(
  { request, application, type, template }: ReadRequest,
  message: ComposedMessage | null,
  outcome: Pick<NotificationRecord, 'status' | 'statusReason'>,
  locale: string | null = null
): NotificationRecord {
  return {
    email: request.recipientEmail,
    appCode: application.code,
    appName: application.name,
    type: request.type,
    templateKey: template?.key ?? request.template ?? null,
    locale: message?.locale ?? request.locale ?? locale ?? 'en',
    subject: message?.subject ?? '',
    payload: request.data ?? {},
    inInbox: !type?.system,
    ...outcome,
  }
}

function zip<A, B>(some: A[], others: B[]): [A, B][] {
  return some.map((item, index) => [item, others[index]])
}
