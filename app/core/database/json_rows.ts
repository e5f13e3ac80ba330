import { usesPostgres } from '#core/database/dialect'

/** `jsonText` is JSON that is already serialized. */
export type JsonRowType = 'integer' | 'text' | 'boolean' | 'timestamptz' | 'jsonText'

/**
 * Reads rows, named `given`, from a JSON array. The SQL contains `columns` verbatim.
 *
 * @param parameter How the statement writes the parameter with the array
 */
export function jsonRows(columns: Record<string, JsonRowType>, parameter = '$1') {
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
      ? `json_to_recordset(cast(${parameter} as json)) as given(${declared.join(', ')})`
      : `(select ${extracted.join(', ')} from json_each(${parameter}) order by key) as given`,
  }
}
