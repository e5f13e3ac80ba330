import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Waits for other transactions with the same key. SQLite has only one writer and needs no lock. */
export async function lockUntilCommit(trx: TransactionClientContract, key: string) {
  if (trx.dialect.name !== 'postgres') return
  await trx.rawQuery('select pg_advisory_xact_lock(hashtextextended(?, 0))', [key])
}

/** Returns false if another transaction holds the key. */
export async function tryLockUntilCommit(
  trx: TransactionClientContract,
  key: string
): Promise<boolean> {
  if (trx.dialect.name !== 'postgres') return true
  const { rows }: { rows: { acquired: boolean }[] } = await trx.rawQuery(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as acquired',
    [key]
  )
  return rows[0].acquired
}
