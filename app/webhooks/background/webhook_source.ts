import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { DateTime } from 'luxon'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { toDatabaseTimestamp } from '#core/database/columns'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import { outboundTurns } from '#core/network/outbound_turns'
import { Deadline } from '#core/values/deadline'
import { type ClaimedDelivery, claimDeliveries } from '#app/webhooks/background/claim_deliveries'
import { ownerOf, postEvent } from '#app/webhooks/background/post_event'
import { recordAttempt } from '#app/webhooks/background/record_attempt'
import { releaseClaim } from '#app/webhooks/background/release_claim'
import { type EndedAttempt, Slots } from '#app/webhooks/background/slots'
import { stopping, trackAttempt } from '#app/webhooks/background/running_attempts'
import { attempts } from '#app/webhooks/metrics'
import webhooksConfig from '#config/webhooks'

const { leaseMs, timeoutMs, turnMs } = webhooksConfig

/**
 * Sends events. It does not wait for attempts, so webhooks that hang, and their application, take
 * their own slots only.
 */
export class WebhookSource implements WorkSource {
  readonly name = 'webhooks'
  readonly #slots = new Slots()

  async work(stoppingWorker?: AbortSignal) {
    if (this.#slots.free <= 0 || stoppingWorker?.aborted || stopping.aborted) return false
    const claimed = await claimDeliveries(this.#slots)
    for (const each of claimed) void this.#work(each)
    return claimed.length > 0
  }

  async backlog() {
    const [row] = await db
      .from('webhook_deliveries')
      .where('due_at', '<=', toDatabaseTimestamp(DateTime.utc()))
      .count('* as total')
    return Number(row.total)
  }

  async #work(claimed: ClaimedDelivery) {
    const { id: webhookId, applicationId, failingSince } = claimed.webhook
    this.#slots.take({ webhookId, applicationId, isFailing: failingSince !== null })
    const outcome = await trackAttempt(attempt(claimed))
    this.#slots.release(webhookId, outcome)
    // Others may have waited for the slot. A failure does not cause a query at once.
    if (outcome.isDelivered) wakeBackgroundWork()
  }
}

async function attempt(claimed: ClaimedDelivery): Promise<EndedAttempt> {
  const outcome = { isDelivered: false, isSlow: false }
  try {
    if (!(await outboundTurns.take(ownerOf(claimed.webhook), new Deadline(turnMs)))) {
      await releaseClaim(claimed)
      return outcome
    }
    const startedAt = performance.now()
    const result = await postEvent(claimed, stopping)
    outcome.isSlow = performance.now() - startedAt > webhooksConfig.slowMs
    if (!result.isDelivered && stopping.aborted) {
      await releaseClaim(claimed)
      return outcome
    }
    attempts.inc({ outcome: result.isDelivered ? 'delivered' : result.reason })
    const deadline = new Deadline(leaseMs - timeoutMs - turnMs)
    await retryWhileUnavailable(() => recordAttempt(claimed, result), deadline)
    outcome.isDelivered = result.isDelivered
  } catch (error) {
    logger.error({ error: describeError(error) }, 'An attempt of a webhook could not be recorded')
  }
  return outcome
}
