import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { toDatabase } from '#core/database/columns'
import { whenAvailable } from '#core/database/when_available'
import { describeError } from '#core/exceptions/describe_error'
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '#app/delivery/exceptions'
import IdempotencyKey from '#app/delivery/models/idempotency_key'

/** How long an answer is kept. */
export const REMEMBERED_HOURS = 24
/** Longer than any request that sends may take: whoever holds a key for longer has died. */
const HOLDER_LIFE_MS = 90_000
/** How long a repeated request waits for the answer of the first. */
const WAIT_MS = 30_000

export interface KeyedRequest {
  key: string
  /** The scope of the keys: the same key in another scope is a different one. */
  scope: string
  /** All that makes two requests the same. */
  content: string | Buffer
}

/** A key that a request has claimed until it has answered. */
export interface HeldKey {
  keyDigest: string
  /** When it was claimed, which identifies the claim. */
  claimedAt: string
  /** The send that a crashed holder had stored; null if it had not stored one. */
  notificationId: number | null
}

/**
 * Does `work` once for a key: who comes again with the same content gets the first answer, at the same time or within a
 * day. A request that was refused leaves the key free. A key whose holder died, or could not store its answer, is free
 * after a while.
 *
 * @throws IdempotencyKeyReused with other content, IdempotencyKeyInUse when the first request takes too long
 */
export async function oncePerKey<T>(
  request: KeyedRequest,
  work: (held: HeldKey) => Promise<T>
): Promise<T> {
  const bodyDigest = digest(request.content)
  const keyDigest = await digestOfKey(request, bodyDigest)
  const giveUpAt = performance.now() + WAIT_MS
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 500)) {
    const held = await claim(keyDigest, bodyDigest)
    if (held !== null) return answer(held, work)
    const row = await IdempotencyKey.findBy({ keyDigest })
    if (row && row.bodyDigest !== bodyDigest) throw new IdempotencyKeyReused()
    if (row && row.answer !== null) return JSON.parse(row.answer) as T
    if (performance.now() > giveUpAt) {
      throw new IdempotencyKeyInUse({ headers: { 'retry-after': '5' } })
    }
    await pause(wait)
  }
}

/**
 * A key counts within its scope. Keys from before scopes existed are kept for a day and still count
 * for the same request.
 */
async function digestOfKey({ scope, key }: KeyedRequest, bodyDigest: string): Promise<string> {
  const formerly = digest(key)
  const row = await IdempotencyKey.findBy({ keyDigest: formerly, bodyDigest })
  return row ? formerly : digest(`${scope}\n${key}`)
}

/**
 * Takes the key when nobody has it, when its day is over, or when its holder died before answering;
 * null otherwise. One statement, so that of many requests at once exactly one gets it.
 *
 * @returns the claim
 */
async function claim(keyDigest: string, bodyDigest: string): Promise<HeldKey | null> {
  const now = DateTime.utc()
  const claimedAt = toDatabase(now)
  const expired = toDatabase(now.minus({ hours: REMEMBERED_HOURS }))
  const abandoned = toDatabase(now.minus({ milliseconds: HOLDER_LIFE_MS }))
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

async function answer<T>(key: HeldKey, work: (held: HeldKey) => Promise<T>) {
  const held = () =>
    db.from('idempotency_keys').where({ key_digest: key.keyDigest, created_at: key.claimedAt })
  const result = await work(key).catch(async (error: unknown) => {
    await held().delete()
    throw error
  })
  // From here on the work is done, so the key stays taken whether its answer can be stored or not.
  try {
    await whenAvailable(() => held().update({ answer: JSON.stringify(result) }))
  } catch (error) {
    logger.error({ error: describeError(error) }, 'The answer to a key could not be stored')
  }
  return result
}

interface ClaimedRow {
  notification_id: number | null
}

/** PostgreSQL answers an object, SQLite the rows. */
function rowsOf(result: unknown): ClaimedRow[] {
  if (Array.isArray(result)) return result as ClaimedRow[]
  const { rows } = result as { rows?: ClaimedRow[] }
  return rows ?? []
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
