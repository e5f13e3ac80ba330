import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'

// Longer than any send may take, so the process that claimed the key must have died.
const MAX_CLAIM_MS = 90_000

/** Null if the key is taken. One statement, so that only one concurrent request gets it. */
export async function claimKey(keyDigest: string, bodyDigest: string): Promise<KeyClaim | null> {
  const now = DateTime.utc()
  const claimedAt = toDatabaseTimestamp(now)
  const expired = toDatabaseTimestamp(now.minus({ hours: IdempotencyKey.lifetimeHours }))
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

/** The row of a claim, unless someone else has claimed the key since. */
export function claimedKey(
  { keyDigest, claimedAt }: KeyClaim,
  client: QueryClientContract = db.connection()
) {
  return client.from('idempotency_keys').where({ key_digest: keyDigest, created_at: claimedAt })
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
