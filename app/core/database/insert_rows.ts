import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type JsonRowType, jsonRows } from '#core/database/json_rows'

/** The SQL contains both verbatim. */
export interface Destination {
  table: string
  columns: Record<string, JsonRowType>
}

/** Inserts any number of rows in order, with one statement. */
export async function insertRows(
  { table, columns }: Destination,
  rows: Record<string, unknown>[],
  trx: TransactionClientContract
) {
  if (rows.length === 0) return
  const { names, values, source } = jsonRows(columns, '?')
  await trx.rawQuery(`insert into ${table} (${names}) select ${values} from ${source}`, [
    JSON.stringify(rows),
  ])
}
