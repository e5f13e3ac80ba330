import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'

/** How many rows one statement changes. */
export const partSize = { rows: 10_000 }

/**
 * Changes any number of rows, some at a time. One statement for very many of them would exceed the
 * time limit of statements, so that the change could never be made; on SQLite, it would leave
 * nothing else a turn.
 *
 * @param change changes at most `limit` of the rows that are left, and returns how many
 * @returns how many were changed
 */
export async function inParts(change: (limit: number) => Promise<number>): Promise<number> {
  const limit = partSize.rows
  for (let total = 0; ;) {
    const changed = await change(limit)
    total += changed
    if (changed < limit) return total
    await nextTurn()
  }
}

/** Finds rows of a table that has an `id`. */
export type Rows = (query: DatabaseQueryBuilderContract) => DatabaseQueryBuilderContract

export function deleteInParts(table: string, rows: Rows, trx: TransactionClientContract) {
  return inParts(async (limit) => Number(await somePart(table, rows, limit, trx).delete()))
}

/** @param rows must not find those any more that have these values */
export function updateInParts(
  table: string,
  rows: Rows,
  values: Record<string, unknown>,
  trx: TransactionClientContract
) {
  return inParts(async (limit) => Number(await somePart(table, rows, limit, trx).update(values)))
}

/** At most `limit` of these rows, to change them. */
export function somePart(table: string, rows: Rows, limit: number, trx: TransactionClientContract) {
  const { sql, bindings } = rows(trx.from(table)).select('id').limit(limit).toSQL()
  // With an array, PostgreSQL uses the index on `id` whatever its statistics say.
  const isOne = usesPostgres() ? `id = any(array(${sql}))` : `id in (${sql})`
  return trx.from(table).whereRaw(isOne, [...bindings] as string[])
}
