import { usesPostgres } from '#core/database/dialect'

/** `jsonText` is JSON as text, stored in a JSON column as it stands. */
export type JsonRowType = 'integer' | 'text' | 'boolean' | 'timestamptz' | 'jsonText'

/**
 * Rows that come as one JSON parameter (an array of objects), so that one prepared statement takes any number of
 * them on either database.
 *
 * @param columns Names and types; both end up in the SQL, so they are never anybody's input
 * @param given How the statement writes the parameter
 */
export function jsonRows(columns: Record<string, JsonRowType>, given = '$1') {
  const names = Object.keys(columns)
  const isPostgres = usesPostgres()
  const declared = names.map(
    (name) => `${name} ${columns[name] === 'jsonText' ? 'text' : columns[name]}`
  )
  const extracted = names.map((name) => `value ->> '$.${name}' as ${name}`)
  return {
    names: names.join(', '),
    values: names
      .map((name) => `given.${name}${isPostgres && columns[name] === 'jsonText' ? '::json' : ''}`)
      .join(', '),
    source: isPostgres
      ? `json_to_recordset(cast(${given} as json)) as given(${declared.join(', ')})`
      : `(select ${extracted.join(', ')} from json_each(${given}) order by key) as given`,
  }
}
