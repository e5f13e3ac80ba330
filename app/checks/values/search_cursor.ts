import { invalidField } from '#core/exceptions/problems'
import { openCursor, sealCursor } from '#core/http/sealed_cursor'

const KIND = 'search'

/** Where the next page of a search begins. */
export interface SearchPosition {
  /** The last key that was looked at. Empty on the first page. */
  after: string
  /** How many results all pages have; null if they were not counted. */
  total: number | null
}

/** @param searched everything that the search asks for: no other search accepts the cursor */
export function sealPosition({ after, total }: SearchPosition, searched: unknown): string {
  return sealCursor([after, total], KIND, searched)
}

/** @throws ValidationError for a cursor of another search, or one that was made up */
export function openPosition(cursor: string, searched: unknown): SearchPosition {
  const position = openCursor<[string, number | null]>(cursor, KIND, searched)
  if (position === null) {
    const message = 'cursor must be the nextCursor of the previous page of the same search'
    throw invalidField('cursor', 'cursor', message)
  }
  const [after, total] = position
  return { after, total }
}
