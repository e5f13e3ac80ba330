import db from '@adonisjs/lucid/services/db'

/** Whether a transaction is waiting for another one. PostgreSQL only. */
export async function hasWaitingTransaction(): Promise<boolean> {
  const { rows } = await db.rawQuery(
    "select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database() and l.locktype = 'transactionid'"
  )
  return rows.length > 0
}
