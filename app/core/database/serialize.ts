import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Makes transactions that name the same key run one after another, until this one ends. SQLite has a single writer
 * anyway, so there it does nothing.
 */
export async function serialize(trx: TransactionClientContract, key: string) {
  if (trx.dialect.name !== 'postgres') return
  await trx.rawQuery('select pg_advisory_xact_lock(hashtextextended(?, 0))', [key])
}
