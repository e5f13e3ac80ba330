import type { Target } from './targets.ts'

export type Cell = string | number | null

/** The first column is text, the others are figures. */
export interface Table {
  head: string[]
  rows: Cell[][]
}

/** As Markdown, which is also readable in a terminal. */
export function markdownTable({ head, rows }: Table): string {
  const texts = rows.map((row) => row.map(textOf))
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...texts.map((row) => row[column].length))
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`
  const rule = widths.map((width, column) => '-'.repeat(width - 1) + (column === 0 ? '-' : ':'))
  return [line(head), line(rule), ...texts.map(line)].join('\n')
}

export const targetTable = (targets: Target[]): Table => ({
  head: ['Target', 'required', 'measured', 'result'],
  rows: targets.map(({ name, required, measured, met }) => [
    name,
    required.replace(/\d{4,}/, (digits) => textOf(Number(digits))),
    measured,
    met ? 'met' : 'MISSED',
  ]),
})

const textOf = (cell: Cell) =>
  typeof cell === 'number' ? cell.toLocaleString('en-GB') : (cell ?? '')
