import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import AccessChanged, { type AccessScope } from '#core/events/access_changed'
import { transaction } from '#core/database/transaction'
import { usesPostgres } from '#core/database/dialect'
import { mayWrite } from '#core/database/writing_nothing'
import { isDatabaseUnavailable } from '#core/database/errors'

/** The channel on which processes notify each other of cached decisions to drop. */
export const ACCESS_CHANNEL = 'concierge_access'

/** Lets a process recognise its own notifications. */
export const PROCESS_ID = crypto.randomUUID()

/** Rolls back a dry run. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('A dry run changes nothing')
  }
}

/**
 * Runs `work` in a transaction and announces the changes that it declares through `changed`
 * (checks.md#cache-invalidation): to other processes with the commit itself, so that no crash can
 * come between, and to this one before it returns. A dry run is rolled back and announces nothing.
 */
export async function accessTransaction<T>(
  work: (trx: TransactionClientContract, changed: (scope: AccessScope) => void) => Promise<T>,
  { dryRun = false }: { dryRun?: boolean } = {}
): Promise<T> {
  let scopes: AccessScope[] = []
  const announce = () =>
    scopes.length > 0 && mayWrite() ? AccessChanged.dispatch(scopes) : undefined
  try {
    const result = await transaction(async (trx) => {
      scopes = []
      const value = await work(trx, (scope) => scopes.push(scope))
      if (dryRun) throw new DryRun(value)
      if (scopes.length > 0 && usesPostgres()) await notify(trx, scopes)
      return value
    })
    await announce()
    return result
  } catch (error) {
    if (error instanceof DryRun) return error.result as T
    // If the connection broke during the commit, the changes may have been saved.
    if (isDatabaseUnavailable(error)) await announce()
    throw error
  }
}

async function notify(trx: TransactionClientContract, scopes: AccessScope[]) {
  // A PostgreSQL notification holds at most 8,000 bytes.
  for (let start = 0; start < scopes.length; start += 10) {
    const payload = JSON.stringify({ from: PROCESS_ID, scopes: scopes.slice(start, start + 10) })
    await trx.rawQuery('select pg_notify(?, ?)', [ACCESS_CHANNEL, payload])
  }
}
