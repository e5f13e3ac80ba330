import { api, nextCursor } from '@/api/client'
import { statusOf } from '@/queries/broadcast_recipients'
import { ONE, placeOf } from '@/queries/broadcasts'

const PAGE = 200
/** More would keep the service busy for minutes. */
export const MOST_EXPORTED = 10_000

/** The recipients as a CSV file without formulas, and whether there are more than it holds. */
export async function exportRecipients(appCode: string, id: number, status: string) {
  const parts: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null && parts.length * PAGE < MOST_EXPORTED) {
    const query = { ...statusOf(status), limit: PAGE, ...(cursor && { cursor }) }
    const { data, response } = await api.GET(`${ONE}/recipients`, {
      params: { ...placeOf(appCode, id), query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    })
    const text = data as unknown as string
    // Only the first page keeps its header line.
    parts.push(cursor ? text.slice(text.indexOf('\n') + 1) : text)
    cursor = nextCursor(response)
  }
  // Spreadsheets take a file without a byte order mark for one in an old encoding.
  return {
    file: new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }),
    isCut: cursor !== null,
  }
}
