import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const ATTEMPTS = 5
const TRY_AGAIN = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', '40001', '40P01'])

/**
 * Runs `work` in a transaction and runs it again when the database gave way to another writer, which SQLite does to a
 * transaction that read before it wrote. `work` must therefore touch nothing but the database, through `trx`.
 */
export async function transaction<T>(
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === ATTEMPTS || !gaveWay(error)) throw error
    }
  }
}

function gaveWay(error: unknown) {
  return error instanceof Error && 'code' in error && TRY_AGAIN.has(String(error.code))
}
