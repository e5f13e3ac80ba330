import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PreparedQuery } from '#core/database/prepared_query'
import { usesPostgres } from '#core/database/dialect'
import { type JsonRowType, jsonRows } from '#core/database/json_rows'

/** The SQL contains both verbatim. */
export interface Destination {
  table: string
  columns: Record<string, JsonRowType>
}

interface Statements {
  one: PreparedQuery<never>
  many: PreparedQuery<never>
}

const statements = new WeakMap<Destination, Statements>()

/** Inserts any number of rows in order, with one statement. */
export async function insertRows(
  destination: Destination,
  rows: Record<string, unknown>[],
  trx: TransactionClientContract
) {
  if (rows.length === 0) return
  const known = statements.get(destination)
  const { one, many } = known ?? statementsFor(destination)
  if (!known) statements.set(destination, { one, many })
  // Most changes insert one, and passing it as JSON costs more than inserting it.
  if (rows.length === 1) await one.within(trx, valuesOf(rows[0], destination))
  else await many.within(trx, [JSON.stringify(rows)])
}

function statementsFor({ table, columns }: Destination): Statements {
  const { names, values, source } = jsonRows(columns)
  const parameters = Object.keys(columns).map((_, index) => `$${index + 1}`)
  return {
    one: new PreparedQuery(
      `insert_one_${table}`,
      `insert into ${table} (${names}) values (${parameters.join(', ')})`
    ),
    many: new PreparedQuery(
      `insert_${table}`,
      `insert into ${table} (${names}) select ${values} from ${source}`
    ),
  }
}

/** SQLite has no booleans. */
const valuesOf = (row: Record<string, unknown>, { columns }: Destination) =>
  Object.keys(columns).map((name) => {
    const value = row[name] ?? null
    return typeof value === 'boolean' && !usesPostgres() ? Number(value) : value
  })
