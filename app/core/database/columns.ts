import { column } from '@adonisjs/lucid/orm'
import type { ColumnOptions } from '@adonisjs/lucid/types/model'
import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'

/** Column decorators that make models behave the same on SQLite and PostgreSQL. */

/** SQLite returns 0 and 1. */
export const booleanColumn = () =>
  column({ consume: (value: unknown) => (value === null ? null : Boolean(value)) })

/** SQLite returns text, PostgreSQL parsed JSON. Both accept text. */
export const jsonColumn = () =>
  column({
    prepare: (value: unknown) =>
      value === null || value === undefined ? null : JSON.stringify(value),
    consume: (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value),
  })

/** UTC with milliseconds. On SQLite, Lucid's own column drops both. */
export const timestampColumn = (options: { autoCreate?: boolean; autoUpdate?: boolean } = {}) => {
  const definition: Partial<ColumnOptions> = {
    prepare: (value: unknown) => (value instanceof DateTime ? toDatabaseTimestamp(value) : value),
    consume: parseDatabaseTimestamp,
    serialize: (value: unknown) => (value instanceof DateTime ? isoTimestamp(value) : value),
    meta: { type: 'datetime', autoCreate: options.autoCreate, autoUpdate: options.autoUpdate },
  }
  return column(definition)
}

/** For timestamps in hand-written SQL. */
export function toDatabaseTimestamp(moment: DateTime): string {
  return isoTimestamp(moment)
}

export function parseDatabaseTimestamp(value: unknown): DateTime | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return DateTime.fromJSDate(value, { zone: 'utc' })
  if (typeof value === 'number') return DateTime.fromMillis(value, { zone: 'utc' })
  const text = String(value)
  // The built-in parser takes a quarter of the time that Luxon needs.
  if (text.endsWith('Z')) return DateTime.fromMillis(Date.parse(text), { zone: 'utc' })
  return DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' })
}
