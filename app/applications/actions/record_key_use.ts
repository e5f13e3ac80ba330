import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import type { ValidKey } from '#app/applications/actions/find_valid_key'

const RECORD_EVERY = { minutes: 1 }

const keysBeingRecorded = new Set<number>()

/** Records the use of a key, at most once a minute. Logs errors instead of failing the request. */
export async function recordKeyUse({ id, lastUsedAt }: ValidKey): Promise<void> {
  const now = DateTime.utc()
  const due = now.minus(RECORD_EVERY)
  if (keysBeingRecorded.has(id) || (lastUsedAt !== null && lastUsedAt > due)) return
  keysBeingRecorded.add(id)
  try {
    await db
      .from('application_keys')
      .where('id', id)
      .where((key) =>
        key.whereNull('last_used_at').orWhere('last_used_at', '<', toDatabaseTimestamp(due))
      )
      .update({ last_used_at: toDatabaseTimestamp(now) })
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'Could not record the last use of a key')
  } finally {
    keysBeingRecorded.delete(id)
  }
}
