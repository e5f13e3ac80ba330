import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'

/** Reads rows with a hand-written statement, which has a `?` for each value. */
export async function selectRows<Row>(
  client: Pick<TransactionClientContract, 'rawQuery'>,
  sql: string,
  values: unknown[] = []
): Promise<Row[]> {
  const result: unknown = await client.rawQuery(sql, values as string[])
  return usesPostgres() ? (result as { rows: Row[] }).rows : (result as Row[])
}

/** An SQL condition that `column` is in a list. Pass `listValue` of the list for its `?`. */
export const isOneOf = (column: string): string =>
  usesPostgres() ? `${column} = any(?)` : `${column} in (select value from json_each(?))`

export const listValue = (values: readonly unknown[]): unknown =>
  usesPostgres() ? values : JSON.stringify(values)
