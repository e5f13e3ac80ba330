import type { Figure } from './figures.ts'
import type { Target } from './targets.ts'

/** The figures as a Markdown table, which is also readable in a terminal. */
export function figureTable(figures: Figure[]): string {
  return table(
    [
      'Candidate',
      'CPU µs per request',
      'lowest to highest',
      'requests per CPU-s',
      'decisions per CPU-s',
      'database CPU µs',
      'queries',
      'requests/s (wall)',
    ],
    figures.map((figure) => [
      figure.name,
      String(figure.cpuPerRequest),
      `${figure.lowest} to ${figure.highest}`,
      grouped(figure.requestsPerCpuSecond),
      grouped(figure.decisionsPerCpuSecond),
      figure.databaseCpuPerRequest?.toString() ?? '',
      figure.queriesPerRequest?.toString() ?? '',
      grouped(figure.requestsPerSecond),
    ])
  )
}

export function targetTable(targets: Target[]): string {
  return table(
    ['Target', 'required', 'measured', ''],
    targets.map(({ name, required, measured, met }) => [
      name,
      required.replace(/\d{4,}/, (digits) => grouped(Number(digits))),
      grouped(measured),
      met ? 'met' : 'MISSED',
    ])
  )
}

function table(head: string[], rows: string[][]) {
  const widths = head.map((title, column) =>
    Math.max(title.length, 1, ...rows.map((row) => row[column].length))
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`
  const rule = widths.map((width, column) => '-'.repeat(width - 1) + (column === 0 ? '-' : ':'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const grouped = (value: number | null) => value?.toLocaleString('en-GB') ?? ''
