interface Rows<Row> {
  stored: Row[] | undefined
  wanted: Row[] | undefined
  removed: { key: string[] }[]
  keyOf: (row: Row) => string[]
}

/** The rows after applying: those of the document, and stored ones that it does not remove. */
export function remainingRows<Row>({ stored = [], wanted = [], removed, keyOf }: Rows<Row>): Row[] {
  const id = (row: Row) => JSON.stringify(keyOf(row))
  const rows = new Map(stored.map((row) => [id(row), row]))
  for (const { key } of removed) rows.delete(JSON.stringify(key))
  for (const row of wanted) rows.set(id(row), row)
  return [...rows.values()]
}
