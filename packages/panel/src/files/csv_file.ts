import { nextCursor } from '@/api/client'

const PAGE = 200
/** More would keep the service busy for minutes. */
export const MOST_EXPORTED = 10_000

/** A file to keep, and whether it has only the first `MOST_EXPORTED` rows. */
export interface ExportedFile {
  file: Blob
  isCut: boolean
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
 * @param partOf what of a page belongs into the file; null if it is empty, which a page can be that
 *   has a next one
 */
export async function readPages<Part>(
  readPage: ReadPage,
  partOf: (data: unknown, isFirst: boolean) => Part | null
) {
  const parts: Part[] = []
  let cursor: string | null | undefined
  while (cursor !== null && parts.length * PAGE < MOST_EXPORTED) {
    const { data, response } = await readPage({ limit: PAGE, ...(cursor && { cursor }) })
    const part = partOf(data, !cursor)
    if (part !== null) parts.push(part)
    cursor = nextCursor(response)
  }
  return { parts, isCut: cursor !== null }
}

/** A list that the service sends as CSV, page by page. Only the first keeps its header line. */
export async function csvOfPages(readPage: ReadPage): Promise<ExportedFile> {
  const { parts, isCut } = await readPages(readPage, (data, isFirst) => {
    const text = data as string
    return (isFirst ? text : text.slice(text.indexOf('\n') + 1)) || null
  })
  return { file: csvFile(parts), isCut }
}

/** Asks for a list as CSV. */
export const AS_CSV = { headers: { accept: 'text/csv' }, parseAs: 'text' as const }
