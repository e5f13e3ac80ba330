import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import { outboundTurns } from '#core/network/outbound_turns'
import type { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { currentVapidKey } from '#core/values/vapid_key'
import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { pushPayload } from '#app/delivery/push/push_payload'
import { pushUrl } from '#app/delivery/push/push_url'
import { type PushOutcome, sendPush } from '#app/delivery/push/send_push'
import { type AttemptReport, attemptNow } from '#app/delivery/values/attempt_report'
import {
  type DeliveryResult,
  failedDelivery,
  recordableResult,
} from '#app/delivery/values/delivery_result'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import PushSubscription from '#app/notifications/models/push_subscription'
import type { PushTarget } from '#app/notifications/values/push_target'
import webPushConfig from '#config/web_push'

export class PushChannel implements DeliveryChannel {
  readonly isConfigured = webPushConfig.vapid !== null

  async deliver(message: OutgoingMessage, deadline: Deadline): Promise<DeliveryResult> {
    try {
      const result = await this.#deliver(message, deadline)
      return recordableResult(result, message.secrets ?? [])
    } catch (error) {
      logger.error({ error: describeError(error) }, 'A push message could not be sent')
      return failedDelivery('the message could not be sent')
    }
  }

  async #deliver(message: OutgoingMessage, deadline: Deadline): Promise<DeliveryResult> {
    const { subscriptions } = message
    const payload = pushPayload({
      title: message.subject,
      body: message.text,
      icon: message.brand.appearance?.iconUrl ?? null,
      url: await pushUrl(message.application, message.data),
    })
    const topic = topicOf(message.reference)
    const owner = { group: message.application.id, member: message.recipient.id }
    const attempts: AttemptReport[] = []
    const outcomes = await inParallel(
      subscriptions,
      webPushConfig.parallel,
      async (subscription) => {
        const isInTime = await outboundTurns.take(owner, deadline)
        const outcome = isInTime
          ? await sendPush(subscription, payload, { topic, owner, deadline })
          : OUT_OF_TIME
        attempts.push(attemptOf(outcome))
        return outcome
      }
    )
    // The message counts as delivered even if this fails.
    await this.#updateSubscriptions(subscriptions, outcomes).catch((error: unknown) =>
      logger.error({ error: describeError(error) }, 'Push subscriptions could not be updated')
    )
    if (outcomes.some(({ kind }) => kind === 'accepted')) {
      return { status: 'sent', attempts, providerMessageId: topic, error: null }
    }
    const failed = outcomes.filter((outcome) => outcome.kind === 'failed')
    const isTemporary = failed.some((outcome) => outcome.isTemporary)
    return failedDelivery(failed[0]?.error ?? 'no browser is subscribed', attempts, isTemporary)
  }

  /** Keeps expired subscriptions that have been renewed (delivery.md#subscription-states). */
  async #updateSubscriptions(subscriptions: PushTarget[], outcomes: PushOutcome[]) {
    const withOutcome = (kind: PushOutcome['kind']) =>
      subscriptions.filter((_, index) => outcomes[index].kind === kind)
    for (const { id, p256Dh } of withOutcome('expired')) {
      await PushSubscription.query().where({ id, p256Dh }).delete()
    }
    const accepted = withOutcome('accepted').map(({ id }) => id)
    if (accepted.length === 0) return
    await PushSubscription.query()
      .whereIn('id', accepted)
      .update({
        last_used_at: toDatabaseTimestamp(DateTime.utc()),
        // Push services accept no other one. A browser may have subscribed with a newer one since.
        vapid_public_key: db.raw('coalesce(vapid_public_key, ?)', [currentVapidKey]),
      })
  }
}

/** The same for every attempt, so that a repeated message replaces a waiting one (RFC 8030). */
export function topicOf(reference: string): string {
  return createHash('sha256').update(reference).digest('base64url').slice(0, 32)
}

const OUT_OF_TIME: PushOutcome = {
  kind: 'failed',
  status: null,
  error: 'no time was left',
  isTemporary: true,
}

function attemptOf(outcome: PushOutcome): AttemptReport {
  const { kind, status } = outcome
  if (kind === 'accepted') return attemptNow('accepted', status)
  if (kind === 'expired') return attemptNow('rejected', status, 'the browser is not subscribed')
  return attemptNow(outcome.isTemporary ? 'deferred' : 'rejected', status, outcome.error)
}
