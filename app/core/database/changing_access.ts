import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import AccessChanged, { type AccessScope } from '#core/events/access_changed'
import { transaction } from '#core/database/transaction'
import { usesPostgres } from '#core/database/dialect'
import { mayWrite } from '#core/database/writing_nothing'
import { isDatabaseUnavailable } from '#core/database/errors'

/** PostgreSQL channel on which processes tell each other what to forget. */
export const ACCESS_CHANNEL = 'concierge_access'

/** Tells a process its own notifications from those of others. */
export const PROCESS_ID = crypto.randomUUID()

/**
 * Runs `work` in a transaction that changes an input of permission checks, and says so: to other processes with the
 * commit itself (so that no crash can come between), to this one before the caller goes on (decisions 3.10).
 *
 * @param work Declares what it changes through `changed`; a run that changes nothing declares nothing.
 */
export async function changingAccess<T>(
  work: (trx: TransactionClientContract, changed: (scope: AccessScope) => void) => Promise<T>
): Promise<T> {
  let scopes: AccessScope[] = []
  const announce = () =>
    scopes.length > 0 && mayWrite() ? AccessChanged.dispatch(scopes) : undefined
  try {
    const result = await transaction(async (trx) => {
      scopes = []
      const value = await work(trx, (scope) => scopes.push(scope))
      if (scopes.length > 0 && usesPostgres()) await notify(trx, scopes)
      return value
    })
    await announce()
    return result
  } catch (error) {
    // A connection lost during the commit leaves open whether the change took place.
    if (isDatabaseUnavailable(error)) await announce()
    throw error
  }
}

async function notify(trx: TransactionClientContract, scopes: AccessScope[]) {
  // One notification holds at most 8,000 bytes.
  for (let start = 0; start < scopes.length; start += 10) {
    const payload = JSON.stringify({ from: PROCESS_ID, scopes: scopes.slice(start, start + 10) })
    await trx.rawQuery('select pg_notify(?, ?)', [ACCESS_CHANNEL, payload])
  }
}
