import { createHash } from 'node:crypto'
import { invalidField } from '#core/exceptions/problems'
import { secrets } from '#core/secrets'

/** Where the next page of a search begins. */
export interface SearchPosition {
  /** The last key that was looked at. Empty on the first page. */
  after: string
  /** How many results all pages have; null if they were not counted. */
  total: number | null
}

/** @param searched everything that the search asks for: no other search accepts the cursor */
export function sealPosition({ after, total }: SearchPosition, searched: unknown): string {
  return secrets.encrypt(JSON.stringify([after, total]), purposeOf(searched))
}

/** @throws ValidationError for a cursor of another search, or one that was made up */
export function openPosition(cursor: string, searched: unknown): SearchPosition {
  const sealed = secrets.decrypt(cursor, purposeOf(searched))
  if (sealed === null) {
    const message = 'cursor must be the nextCursor of the previous page of the same search'
    throw invalidField('cursor', 'cursor', message)
  }
  const [after, total] = JSON.parse(sealed) as [string, number | null]
  return { after, total }
}

function purposeOf(searched: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(searched)).digest('base64url')
  return `search:${digest}`
}
