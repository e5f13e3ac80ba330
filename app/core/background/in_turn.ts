interface Groups<Row> {
  group: (row: Row) => unknown
  /** How much the group of the row has already. */
  taken: (row: Row) => number
  /** How much it can have. */
  most: (row: Row) => number
}

/** Orders rows by how much their group has by then, and leaves out those beyond its limit. */
export function inTurn<Row>(rows: Row[], { group, taken, most }: Groups<Row>): Row[] {
  const seen = new Map<unknown, number>()
  return rows
    .map((row) => {
      const before = seen.get(group(row)) ?? 0
      seen.set(group(row), before + 1)
      return { row, turn: taken(row) + before }
    })
    .filter(({ row, turn }) => turn < most(row))
    .sort((one, other) => one.turn - other.turn)
    .map(({ row }) => row)
}
