import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpContext } from '@adonisjs/core/http'
import { CsvError, parse } from 'csv-parse'
import { invalidField } from '#core/exceptions/problems'
import { isCsv } from '#core/middleware/json_body_middleware'
import {
  IMPORT_COLUMNS,
  type ImportColumn,
  MAX_IMPORT_ROWS,
  importBodyValidator,
} from '#app/permissions/validators/import_schema'

/** What one row contains, unchecked. */
export type ImportRow = Partial<Record<ImportColumn, unknown>> & {
  /** The line of a CSV file, or the position in a JSON array, from 1. */
  row: number
  /** Set if a line of a CSV file has more cells than the header. */
  isTooLong?: boolean
}

/** Number of characters to parse before other requests get a turn. */
const SLICE = 16_384
/** Longer than any valid row. */
const MAX_RECORD_BYTES = 16_384

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * See permissions.md#importing-role-assignments.
 *
 * @throws ValidationError if the rows cannot be read; their content is checked later
 * @describedBy import_schema#importBody
 * @consumes application/json text/csv
 */
export async function readImportRows({ request, rawBody }: HttpContext): Promise<ImportRow[]> {
  if (isCsv(request.request.headers['content-type'])) return readCsv(decode(rawBody))
  const { rows } = await importBodyValidator.validate(request.body())
  return rows.map(({ email, role, validFrom, validUntil }, index) => {
    return { email, role, validFrom, validUntil, row: index + 1 }
  })
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidField('body', 'utf8', 'The body must be text in UTF-8')
  }
}

async function readCsv(text: string): Promise<ImportRow[]> {
  const records = Readable.from(slices(text)).pipe(
    parse({
      delimiter: delimiterOf(text),
      info: true,
      max_record_size: MAX_RECORD_BYTES,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
  )
  let columns: ImportColumn[] | undefined
  const rows: ImportRow[] = []
  try {
    for await (const { record, info } of records as AsyncIterable<CsvRecord>) {
      if (columns === undefined) columns = readHeader(record)
      else if (rows.length === MAX_IMPORT_ROWS) throw tooManyRows()
      else rows.push(toRow(record, columns, info.lines))
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error) : error
  }
  if (columns === undefined) readHeader([])
  return rows
}

interface CsvRecord {
  record: string[]
  info: { lines: number }
}

async function* slices(text: string) {
  for (let start = 0; start < text.length; start += SLICE) {
    yield text.slice(start, start + SLICE)
    await nextTurn()
  }
}

/** Spreadsheets write semicolons where the comma is the decimal separator. */
function delimiterOf(text: string) {
  const [header] = /[^\r\n]+/.exec(text) ?? ['']
  return header.includes(';') ? ';' : ','
}

function readHeader(names: string[]): ImportColumn[] {
  const columns = names.map((name) =>
    IMPORT_COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase())
  )
  const isComplete = columns.includes('email') && columns.includes('role')
  const known = columns.filter((column) => column !== undefined)
  if (isComplete && known.length === names.length && new Set(known).size === known.length) {
    return known
  }
  throw invalidField(
    'header',
    'columns',
    `The first line must name the columns email and role, and can name ${IMPORT_COLUMNS.slice(2).join(' and ')}, each once`
  )
}

function toRow(cells: string[], columns: ImportColumn[], row: number): ImportRow {
  const fields = Object.fromEntries(columns.map((column, index) => [column, cells[index] || null]))
  return { ...fields, row, isTooLong: cells.length > columns.length }
}

function tooManyRows() {
  const message = `An import must have at most ${MAX_IMPORT_ROWS} rows`
  return invalidField('rows', 'maxLength', message, { max: MAX_IMPORT_ROWS })
}

function malformed({ code, lines }: CsvError & { lines?: number }) {
  const where = lines === undefined ? '' : ` on line ${lines}`
  const reason =
    code === 'CSV_MAX_RECORD_SIZE' ? 'a row is too long' : 'quotes are not closed or doubled'
  return invalidField('body', 'csv', `The body is not valid CSV: ${reason}${where}`)
}
