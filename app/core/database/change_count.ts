/** How many rows a raw statement has inserted, updated or deleted. */
export function changeCount(result: unknown): number {
  const { rowCount, changes } = result as { rowCount?: number; changes?: number }
  return rowCount ?? changes ?? 0
}
