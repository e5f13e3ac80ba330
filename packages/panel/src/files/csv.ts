type Cell = string | number | boolean | null

/** A table as CSV (RFC 4180). Nothing in it is a formula to a spreadsheet. */
export function csvOf(header: string[], rows: Cell[][]): string {
  return [header, ...rows].map((row) => row.map(cellOf).join(',') + '\r\n').join('')
}

function cellOf(value: Cell): string {
  const text = String(value ?? '')
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
