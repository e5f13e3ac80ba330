import { nextCursor } from '@/api/client'

const PAGE = 200
/** More would keep the service busy for minutes. */
const MOST_ROWS = 10_000
/** A page can have few rows, or none, and a next one. */
const MOST_PAGES = 500

export interface ExportedFile {
  file: Blob
  /** How many rows the file has, if the list has more; null if it has them all. */
  cutAfter: number | null
}

/** Spreadsheets take a file without a byte order mark for one in an old encoding. */
export const csvFile = (parts: BlobPart[]) =>
  new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })

type ReadPage = (page: { limit: number; cursor?: string }) => Promise<{
  data?: unknown
  response: Response
}>

/**
 * Reads the pages of a list one after another.
 * @param partOf what of a page belongs into the file
 * @param countRows how many rows such a part has
 */
export async function readPages<Part>(
  readPage: ReadPage,
  partOf: (data: unknown) => Part,
  countRows: (part: Part) => number
) {
  const parts: Part[] = []
  let rows = 0
  let cursor: string | null | undefined
  while (cursor !== null && rows < MOST_ROWS && parts.length < MOST_PAGES) {
    const { data, response } = await readPage({ limit: PAGE, ...(cursor && { cursor }) })
    const part = partOf(data)
    parts.push(part)
    rows += countRows(part)
    cursor = nextCursor(response)
  }
  return { parts, cutAfter: cursor === null ? null : rows }
}

/** A list that the service sends as CSV, page by page, each with the same header line. */
export async function csvOfPages(readPage: ReadPage): Promise<ExportedFile> {
  let header = ''
  const withoutHeader = (data: unknown) => {
    const text = data as string
    const begin = text.indexOf('\n') + 1
    header = text.slice(0, begin)
    return text.slice(begin)
  }
  const { parts, cutAfter } = await readPages(readPage, withoutHeader, countRecords)
  return { file: csvFile([header, ...parts]), cutAfter }
}

/** Each record ends with a line break; quoted cells can contain others. */
const countRecords = (text: string) => text.replaceAll(/"[^"]*"/g, '').split('\n').length - 1

/** Asks for a list as CSV. */
export const AS_CSV = { headers: { accept: 'text/csv' }, parseAs: 'text' as const }
