import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PreparedQuery } from '#core/database/prepared_query'
import { type JsonRowType, jsonRows } from '#core/database/json_rows'

/** The SQL contains both verbatim. */
export interface Destination {
  table: string
  columns: Record<string, JsonRowType>
}

const statements = new WeakMap<Destination, PreparedQuery<never>>()

/** Inserts any number of rows in order, with one statement. */
export async function insertRows(
  destination: Destination,
  rows: Record<string, unknown>[],
  trx: TransactionClientContract
) {
  if (rows.length === 0) return
  const known = statements.get(destination)
  const statement = known ?? insertInto(destination)
  if (!known) statements.set(destination, statement)
  await statement.within(trx, [JSON.stringify(rows)])
}

function insertInto({ table, columns }: Destination): PreparedQuery<never> {
  const { names, values, source } = jsonRows(columns)
  return new PreparedQuery(
    `insert_${table}`,
    `insert into ${table} (${names}) select ${values} from ${source}`
  )
}
