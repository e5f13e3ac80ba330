import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'

/** Reads rows with a statement of our own, in a transaction. The SQL has `?` for each value. */
export async function selectRows<Row>(
  trx: TransactionClientContract,
  sql: string,
  values: unknown[] = []
): Promise<Row[]> {
  const result: unknown = await trx.rawQuery(sql, values as string[])
  return usesPostgres() ? (result as { rows: Row[] }).rows : (result as Row[])
}

/** A condition that `column` is one of a list, which `listValue` makes the value of its `?`. */
export const isOneOf = (column: string): string =>
  usesPostgres() ? `${column} = any(?)` : `${column} in (select value from json_each(?))`

export const listValue = (values: readonly unknown[]): unknown =>
  usesPostgres() ? values : JSON.stringify(values)
