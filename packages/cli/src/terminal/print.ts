import Table from 'cli-table3'
import { stringify } from 'yaml'
import { printable, printableLines } from './printable.ts'
import { styled } from './say.ts'

export const FORMATS = ['table', 'json', 'yaml'] as const
export type Format = (typeof FORMATS)[number]

type Row = Record<string, unknown>

const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((name) => [name, ''])
)

/**
 * Writes data to stdout, which nothing else uses.
 *
 * @param columns the columns of a table; JSON and YAML contain everything
 */
export function print(data: unknown, format: Format, columns?: readonly string[]): void {
  const text = render(data, format, columns)
  process.stdout.write(`${format === 'table' ? text : printableLines(text)}\n`)
}

/** The text of data, without a line break at the end. */
export function render(data: unknown, format: Format, columns?: readonly string[]): string {
  if (format === 'json') return JSON.stringify(data, null, 2)
  if (format === 'yaml') return stringify(data).trimEnd()
  if (Array.isArray(data)) return rows(data as Row[], columns ?? Object.keys(data[0] ?? {}))
  if (typeof data === 'object' && data !== null) return record(data as Row)
  return cell(data)
}

function rows(data: Row[], columns: readonly string[]) {
  if (data.length === 0) return 'No results'
  const head = columns.map((name) => styled('bold', name, process.stdout))
  return lines(
    data.map((row) => columns.map((name) => cell(row[name]))),
    head
  )
}

function record(data: Row) {
  return lines(Object.entries(data).map(([name, value]) => [name, cell(value)]))
}

function lines(body: string[][], head: string[] = []) {
  const table = new Table({
    head,
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'head': [], 'border': [], 'padding-left': 0, 'padding-right': 0 },
  })
  table.push(...body)
  return table.toString().replace(/ +$/gm, '')
}

export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return printable(value.join(', ')) || '-'
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
