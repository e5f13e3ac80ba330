import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { DateTime } from 'luxon'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { toDatabaseTimestamp } from '#core/database/columns'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import { Deadline } from '#core/values/deadline'
import { type ClaimedDelivery, claimDeliveries } from '#app/webhooks/background/claim_deliveries'
import { postEvent } from '#app/webhooks/background/post_event'
import { recordAttempt } from '#app/webhooks/background/record_attempt'
import { releaseClaim } from '#app/webhooks/background/release_claim'
import { stopping, trackAttempt } from '#app/webhooks/background/running_attempts'
import { attempts } from '#app/webhooks/metrics'
import webhooksConfig from '#config/webhooks'

const { holdMs, leaseMs, parallel, parallelFailing, timeoutMs } = webhooksConfig
const { perFailingWebhook, perWebhook } = webhooksConfig

/** Attempts that this process makes at one webhook. */
interface Slots {
  count: number
  isFailing: boolean
}

/**
 * Sends events. It does not wait for attempts, so a webhook that hangs takes its own slots only,
 * and one that fails has a single slot.
 */
export class WebhookSource implements WorkSource {
  readonly name = 'webhooks'
  readonly #inProgress = new Map<number, Slots>()
  readonly #pausedUntil = new Map<number, number>()

  async work(stoppingWorker?: AbortSignal) {
    const free = parallel - this.#count(() => true)
    if (free <= 0 || stoppingWorker?.aborted || stopping.aborted) return false
    const claimed = await claimDeliveries({
      exceptWebhooks: this.#busyWebhooks(),
      includesFailing: this.#count(({ isFailing }) => isFailing) < parallelFailing,
      limit: free,
    })
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

  #count(isCounted: (slots: Slots) => boolean): number {
    const counted = this.#inProgress.values().filter(isCounted)
    return counted.reduce((sum, { count }) => sum + count, 0)
  }

  #busyWebhooks(): number[] {
    const now = performance.now()
    for (const [webhook, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(webhook)
    }
    const full = this.#inProgress
      .entries()
      .filter(([, { count, isFailing }]) => count >= (isFailing ? perFailingWebhook : perWebhook))
    return [...full.map(([webhook]) => webhook), ...this.#pausedUntil.keys()]
  }

  async #work(claimed: ClaimedDelivery) {
    const { id, failingSince } = claimed.webhook
    const isFailing = failingSince !== null
    const { count } = this.#inProgress.get(id) ?? { count: 0 }
    this.#inProgress.set(id, { count: count + 1, isFailing })
    const isDelivered = await trackAttempt(attempt(claimed))
    if (isDelivered) this.#pausedUntil.delete(id)
    else this.#pausedUntil.set(id, performance.now() + holdMs)
    this.#release(id)
  }

  #release(webhook: number) {
    const slots = this.#inProgress.get(webhook)!
    if (slots.count > 1) this.#inProgress.set(webhook, { ...slots, count: slots.count - 1 })
    else this.#inProgress.delete(webhook)
    // Others may have waited for a free slot.
    if (slots.count === perWebhook || !this.#pausedUntil.has(webhook)) wakeBackgroundWork()
  }
}

async function attempt(claimed: ClaimedDelivery): Promise<boolean> {
  try {
    const result = await postEvent(claimed, stopping)
    if (!result.isDelivered && stopping.aborted) {
      await releaseClaim(claimed)
      return false
    }
    attempts.inc({ outcome: result.isDelivered ? 'delivered' : result.reason })
    const deadline = new Deadline(leaseMs - timeoutMs)
    await retryWhileUnavailable(() => recordAttempt(claimed, result), deadline)
    return result.isDelivered
  } catch (error) {
    logger.error({ error: describeError(error) }, 'An attempt of a webhook could not be recorded')
    return false
  }
}
