interface Rows<Row> {
  stored: Row[] | undefined
  wanted: Row[] | undefined
  removed: { key: string[] }[]
  keyOf: (row: Row) => string[]
}

/** The rows that there will be: those of the document, and the stored ones that nothing removes. */
export function remaining<Row>({ stored = [], wanted = [], removed, keyOf }: Rows<Row>): Row[] {
  const id = (row: Row) => JSON.stringify(keyOf(row))
  const rows = new Map(stored.map((row) => [id(row), row]))
  for (const { key } of removed) rows.delete(JSON.stringify(key))
  for (const row of wanted) rows.set(id(row), row)
  return [...rows.values()]
}
