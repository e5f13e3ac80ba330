import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const ATTEMPTS = 5
const RETRYABLE = new Set([
  ...['SQLITE_BUSY_SNAPSHOT', '40001', '40P01'],
  // A row that was just read has been deleted. The next attempt reports which one.
  ...['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'],
])

/**
 * Retries `work` after a conflict with another writer, so it must have no effects outside the
 * database and read everything it depends on through `trx`.
 */
export async function transaction<T>(
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runToCommit(async (trx) => {
        await startWriting(trx)
        return work(trx)
      })
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}

/** The framework ignores a failed COMMIT. Only the promise of the whole transaction reports it. */
async function runToCommit<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  let completion: Promise<unknown> | undefined
  const result = await db.transaction(async (trx) => {
    completion = trx.knexClient.executionPromise
    completion.catch(() => {})
    return work(trx)
  })
  await completion
  return result
}

/** A SQLite transaction waits for other writers only if it starts with a write. */
async function startWriting(trx: TransactionClientContract) {
  if (trx.dialect.name !== 'postgres') await trx.rawQuery('delete from adonis_schema where false')
}

function isRetryable(error: unknown) {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}
