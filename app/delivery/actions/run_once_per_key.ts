import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { describeError } from '#core/exceptions/describe_error'
import { backOffMs } from '#core/values/back_off'
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '#app/delivery/exceptions'
import IdempotencyKey from '#app/delivery/models/idempotency_key'

export const KEY_LIFETIME_HOURS = 24
// Longer than any send may take, so the process that claimed the key must have died.
const MAX_CLAIM_MS = 90_000
const MAX_WAIT_MS = 30_000
const PAUSES = { firstMs: 20, factor: 1.5, longestMs: 500 }

export interface KeyedRequest {
  key: string
  /** The same key in another scope is a different key */
  scope: string
  content: string | Buffer
}

export interface KeyClaim {
  keyDigest: string
  claimedAt: string
  /** The send that a crashed process had stored for this key */
  notificationId: number | null
}

/**
 * Runs `work` once per key; repetitions get the first result (delivery.md#idempotency-key). If
 * `work` throws, the key can be used again. @throws IdempotencyKeyReused, IdempotencyKeyInUse
 */
export async function runOncePerKey<T>(
  request: KeyedRequest,
  work: (claimed: KeyClaim) => Promise<T>
): Promise<T> {
  const bodyDigest = digest(request.content)
  const keyDigest = await digestOfKey(request, bodyDigest)
  const giveUpAt = performance.now() + MAX_WAIT_MS
  for (let attempt = 1; ; attempt++) {
    const claimed = await claimKey(keyDigest, bodyDigest)
    if (claimed !== null) return runClaimed(claimed, work)
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

/** Null if the key is taken. One statement, so that only one concurrent request gets it. */
async function claimKey(keyDigest: string, bodyDigest: string): Promise<KeyClaim | null> {
  const now = DateTime.utc()
  const claimedAt = toDatabaseTimestamp(now)
  const expired = toDatabaseTimestamp(now.minus({ hours: KEY_LIFETIME_HOURS }))
  const abandoned = toDatabaseTimestamp(now.minus({ milliseconds: MAX_CLAIM_MS }))
  const result: unknown = await db.rawQuery(
    `insert into idempotency_keys (key_digest, body_digest, answer, created_at) values (?, ?, null, ?)
     on conflict (key_digest) do update
       set body_digest = excluded.body_digest, answer = null, created_at = excluded.created_at,
           notification_id = case when idempotency_keys.created_at < ? then null
                             else idempotency_keys.notification_id end
     where idempotency_keys.created_at < ?
        or (idempotency_keys.answer is null and idempotency_keys.created_at < ?
            and idempotency_keys.body_digest = excluded.body_digest)
     returning notification_id`,
    [keyDigest, bodyDigest, claimedAt, expired, expired, abandoned]
  )
  const [row] = rowsOf(result)
  return row ? { keyDigest, claimedAt, notificationId: row.notification_id } : null
}

async function runClaimed<T>(key: KeyClaim, work: (claimed: KeyClaim) => Promise<T>) {
  const claimedRow = () =>
    db.from('idempotency_keys').where({ key_digest: key.keyDigest, created_at: key.claimedAt })
  const result = await work(key).catch(async (error: unknown) => {
    await claimedRow().delete()
    throw error
  })
  // The work is done, so the key stays taken even if the response cannot be stored.
  try {
    await retryWhileUnavailable(() => claimedRow().update({ answer: JSON.stringify(result) }))
  } catch (error) {
    logger.error(
      { error: describeError(error) },
      'The response for an idempotency key could not be stored'
    )
  }
  return result
}

interface ClaimedRow {
  notification_id: number | null
}

/** PostgreSQL returns an object, SQLite the rows. */
function rowsOf(result: unknown): ClaimedRow[] {
  if (Array.isArray(result)) return result as ClaimedRow[]
  const { rows } = result as { rows?: ClaimedRow[] }
  return rows ?? []
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
