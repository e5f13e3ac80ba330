import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'
import { selectRows } from '#core/database/select_rows'

/** A transaction, of prepared statements or of models, or none. */
export type Executor = RunQuery | TransactionClientContract | null

export interface Statement {
  name: string
  /** With at most one parameter, `$1` */
  sql: string
}

const prepared = new Map<string, PreparedQuery<unknown>>()

/** Runs a statement in the transaction of whoever stores an event. */
export async function execute<Row>(
  executor: Executor,
  { name, sql }: Statement,
  values: unknown[] = []
): Promise<Row[]> {
  if (executor !== null && typeof executor !== 'function') {
    return selectRows<Row>(executor, sql.replace('$1', '?'), values)
  }
  const known = prepared.get(name) ?? new PreparedQuery<unknown>(name, sql)
  prepared.set(name, known)
  const rows = executor === null ? known.all(values) : executor(known, values)
  return (await rows) as Row[]
}
