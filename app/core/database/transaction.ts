import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { mayWrite } from '#core/database/writing_nothing'

const ATTEMPTS = 5
const TRY_AGAIN = new Set([
  ...['SQLITE_BUSY_SNAPSHOT', '40001', '40P01'],
  // A row that was just read is gone: the next run finds that out by itself and says which one.
  ...['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'],
])

/** Ends a run of a transaction that rests on what another writer has just changed: it runs again. */
export class CameBetween extends Error {
  readonly code = '40001'
}

/**
 * Runs `work` in a transaction and runs it again when another writer came between, which SQLite says of a transaction
 * that read before it wrote, and both say when what a new row belongs to was deleted. `work` must therefore touch nothing
 * but the database, through `trx`, and read there whatever it rests on. Within `writingNothing` only the result remains.
 */
export async function transaction<T>(
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await committed(async (trx) => {
        await becomeWriter(trx)
        return work(trx)
      })
    } catch (error) {
      if (attempt === ATTEMPTS || !cameBetween(error)) throw error
    }
  }
}

/**
 * The framework takes a COMMIT that failed, because the connection broke or the database went down, for one that worked;
 * only the promise of the whole transaction tells. Without it a write could be acknowledged that was never stored.
 */
async function committed<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  let ended: Promise<unknown> | undefined
  if (!mayWrite()) return rolledBack(work)
  const result = await db.transaction(async (trx) => {
    ended = trx.knexClient.executionPromise
    ended.catch(() => {})
    return work(trx)
  })
  await ended
  return result
}

async function rolledBack<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  const trx = await db.transaction()
  try {
    return await work(trx)
  } finally {
    await trx.rollback()
  }
}

/**
 * SQLite makes a transaction wait for another writer only when it begins by writing; one that read first is refused at
 * once. So it begins by writing nothing.
 */
async function becomeWriter(trx: TransactionClientContract) {
  if (trx.dialect.name !== 'postgres') await trx.rawQuery('delete from adonis_schema where false')
}

function cameBetween(error: unknown) {
  return error instanceof Error && 'code' in error && TRY_AGAIN.has(String(error.code))
}
