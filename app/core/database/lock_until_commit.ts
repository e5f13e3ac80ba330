import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Makes transactions that name the same key run one after another, until this one ends. SQLite has a single writer
 * anyway, so there it does nothing.
 */
export async function lockUntilCommit(trx: TransactionClientContract, key: string) {
  if (trx.dialect.name !== 'postgres') return
  await trx.rawQuery('select pg_advisory_xact_lock(hashtextextended(?, 0))', [key])
}

/** The same for one that had better do nothing than wait: false when another one has the key. */
export async function tryLockUntilCommit(
  trx: TransactionClientContract,
  key: string
): Promise<boolean> {
  if (trx.dialect.name !== 'postgres') return true
  const { rows }: { rows: { taken: boolean }[] } = await trx.rawQuery(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as taken',
    [key]
  )
  return rows[0].taken
}
