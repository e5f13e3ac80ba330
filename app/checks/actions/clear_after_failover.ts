import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { accessTransaction } from '#core/database/access_transaction'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { selectRows } from '#core/database/select_rows'
import { describeError } from '#core/exceptions/describe_error'
import { Deadline } from '#core/values/deadline'
import { skipLostRevisions } from '#app/checks/actions/clear_decisions'

const TRY_FOR_MS = 10_000

/**
 * Clears the caches of everyone if PostgreSQL has another timeline than before: a failover, or a
 * recovery to an earlier time, may have lost changes that somebody remembers. Never throws.
 */
export async function clearAfterFailover(): Promise<void> {
  try {
    await retryWhileUnavailable(compareTimelines, new Deadline(TRY_FOR_MS))
  } catch (error) {
    logger.warn(
      { error: describeError(error) },
      'Could not read the timeline of the database; run cache:clear after a failover'
    )
  }
}

interface TimelineRow {
  known: string | null
  current: string
}

/** A WAL file is named after the timeline first: eight digits. */
const TIMELINES = `select timeline as known, left(pg_walfile_name(pg_current_wal_lsn()), 8) as current
   from change_revisions`

async function compareTimelines() {
  const [seen] = await selectRows<TimelineRow>(db, TIMELINES)
  if (seen.known === seen.current) return
  const isCleared = await accessTransaction(async (trx, changed) => {
    const [{ known, current }] = await selectRows<TimelineRow>(trx, `${TIMELINES} for update`)
    // Another process was faster.
    if (known === current) return false
    await trx.from('change_revisions').update({ timeline: current })
    if (known === null) return false
    await skipLostRevisions(trx)
    changed({})
    return true
  })
  if (isCleared) logger.warn('The database has failed over or was recovered; caches are cleared')
}
