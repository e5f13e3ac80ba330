import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import type { ValidKey } from '#app/applications/actions/find_key'

const NOTED_EVERY = { minutes: 1 }

/** Keys whose use this process is currently recording. */
const underWay = new Set<number>()

/**
 * Records that a key was used, at most once a minute. Errors are logged, so that the request does
 * not fail.
 */
export async function noteKeyUse({ id, lastUsedAt }: ValidKey): Promise<void> {
  const now = DateTime.utc()
  const due = now.minus(NOTED_EVERY)
  if (underWay.has(id) || (lastUsedAt !== null && lastUsedAt > due)) return
  underWay.add(id)
  try {
    await db
      .from('application_keys')
      .where('id', id)
      .where((key) => key.whereNull('last_used_at').orWhere('last_used_at', '<', toDatabase(due)))
      .update({ last_used_at: toDatabase(now) })
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'The last use of a key could not be recorded')
  } finally {
    underWay.delete(id)
  }
}
