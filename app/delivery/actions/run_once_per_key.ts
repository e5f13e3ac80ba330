import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import { backOffMs } from '#core/values/back_off'
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '#app/delivery/exceptions'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import { claimKey, claimedKey } from '#app/delivery/queries/claim_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'

const MAX_WAIT_MS = 30_000
const PAUSES = { firstMs: 20, factor: 1.5, longestMs: 500 }

export interface KeyedRequest {
  key: string
  /** The same key in another scope is a different key */
  scope: string
  content: string | Buffer
}

interface KeyedOptions<T> {
  store: (claimed: KeyClaim, result: T) => Promise<void>
  isRefused?: (result: T) => boolean
}

/**
 * Runs `work` once per key; repetitions get the first result, as `store` keeps it
 * (delivery.md#idempotency-key). If `work` stores nothing because it throws, or because
 * everything was refused (`isRefused`), the key can be used again.
 * @throws IdempotencyKeyReused, IdempotencyKeyInUse
 */
export async function runOncePerKey<T>(
  request: KeyedRequest,
  work: (claimed: KeyClaim) => Promise<T>,
  options: KeyedOptions<T>
): Promise<T> {
  const bodyDigest = digest(request.content)
  const keyDigest = await digestOfKey(request, bodyDigest)
  const giveUpAt = performance.now() + MAX_WAIT_MS
  for (let attempt = 1; ; attempt++) {
    const claimed = await claimKey(keyDigest, bodyDigest)
    if (claimed !== null) return runClaimed(claimed, work, options)
    const row = await IdempotencyKey.findBy({ keyDigest })
    if (row && row.bodyDigest !== bodyDigest) throw new IdempotencyKeyReused()
    if (row && row.answer !== null) return JSON.parse(row.answer) as T
    if (performance.now() > giveUpAt) {
      throw new IdempotencyKeyInUse({ headers: { 'retry-after': '5' } })
    }
    await pause(backOffMs(attempt, PAUSES))
  }
}

/** Keys stored before scopes existed still count for the same request. */
async function digestOfKey({ scope, key }: KeyedRequest, bodyDigest: string): Promise<string> {
  const unscoped = digest(key)
  const row = await IdempotencyKey.findBy({ keyDigest: unscoped, bodyDigest })
  return row ? unscoped : digest(`${scope}\n${key}`)
}

async function runClaimed<T>(
  key: KeyClaim,
  work: (claimed: KeyClaim) => Promise<T>,
  { store, isRefused = () => false }: KeyedOptions<T>
) {
  const result = await work(key).catch(async (error: unknown) => {
    await release(key)
    throw error
  })
  if (isRefused(result)) {
    await release(key)
    return result
  }
  // The work is done, so the key stays taken even if the response cannot be stored.
  try {
    await retryWhileUnavailable(() => store(key, result))
  } catch (error) {
    logger.error(
      { error: describeError(error) },
      'The response for an idempotency key could not be stored'
    )
  }
  return result
}

/** Unless something was stored with it: perhaps only the confirmation of the commit was lost. */
const release = (key: KeyClaim) =>
  claimedKey(key).whereNull('answer').whereNull('notification_id').delete()

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
