import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { currentTime } from '#core/values/clock'

/**
 * A condition that holds while a row with `valid_from` and `valid_until` is in its time window
 * (permissions.md#time-windows).
 *
 * @param row the alias of the table
 * @param now the parameter with the moment, as `databaseMoment` returns it
 */
export function isActive(row: string, now: string): string {
  return `(${row}.valid_from is null or ${row}.valid_from <= ${now})
    and (${row}.valid_until is null or ${row}.valid_until > ${now})`
}

export function databaseMoment(milliseconds = currentTime()): string {
  return toDatabaseTimestamp(DateTime.fromMillis(milliseconds, { zone: 'utc' }))
}

type Query = DatabaseQueryBuilderContract | ModelQueryBuilderContract<LucidModel>

/** Leaves only the rows of `table` that are in their time window. */
export function onlyActive<T extends Query>(query: T, table: string): T {
  const now = databaseMoment()
  query.where((inside) => {
    inside.whereNull(`${table}.valid_from`).orWhere(`${table}.valid_from`, '<=', now)
  })
  query.where((inside) => {
    inside.whereNull(`${table}.valid_until`).orWhere(`${table}.valid_until`, '>', now)
  })
  return query
}

/** Leaves only the rows of `table` whose time window ends within this number of days. */
export function onlyEndingWithin<T extends Query>(query: T, table: string, days: number): T {
  const now = DateTime.fromMillis(currentTime(), { zone: 'utc' })
  query.where(`${table}.valid_until`, '>', toDatabaseTimestamp(now))
  query.where(`${table}.valid_until`, '<=', toDatabaseTimestamp(now.plus({ days })))
  return query
}
