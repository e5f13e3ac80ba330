import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'

/** Gives `work` a transaction that sees the database as it was at one moment, without locks. */
export function readAtOneMoment<T>(
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  return db.transaction(async (trx) => {
    if (usesPostgres()) {
      await trx.rawQuery('set transaction isolation level repeatable read, read only')
    }
    return work(trx)
  })
}
