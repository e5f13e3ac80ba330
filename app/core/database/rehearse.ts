import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { asPartsOf, transaction } from '#core/database/transaction'
import { writingNothing } from '#core/database/writing_nothing'

export interface Rehearsal {
  trx: TransactionClientContract
  /**
   * Runs `work` and undoes its changes. Transactions of the actions that it calls become parts of
   * this one.
   *
   * @returns what `work` returns
   */
  tryOut<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Finds out what changes would do. Everything is read as of one moment, nothing is stored, and
 * nobody is notified. It is one transaction, so `work` may run again after a conflict with another
 * writer.
 */
export function rehearse<T>(work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
  return writingNothing(() =>
    transaction(async (trx) => {
      if (usesPostgres()) await trx.rawQuery('set transaction isolation level repeatable read')
      return work({ trx, tryOut: (changes) => tryOut(trx, changes) })
    })
  )
}

/** On PostgreSQL, the rollback also releases the locks that the changes took. */
async function tryOut<T>(trx: TransactionClientContract, changes: () => Promise<T>): Promise<T> {
  await trx.rawQuery('savepoint rehearsal')
  const seen = await asPartsOf(trx, changes)
  await trx.rawQuery('rollback to savepoint rehearsal')
  return seen
}
