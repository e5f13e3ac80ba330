import { invalidField } from '#core/exceptions/problems'
import { openCursor, sealCursor } from '#core/http/sealed_cursor'

const KIND = 'authzen'

/** What a token continues. */
export interface PageToken {
  /** Of the search that the token belongs to; null if the first page had no results. */
  cursor: string | null
  /** Stays the same on all pages. */
  limit: number
}

/** @param searched everything that the search asks for: no other search accepts the token */
export function sealToken({ cursor, limit }: PageToken, searched: unknown): string {
  return sealCursor([cursor, limit], KIND, searched)
}

/** @throws ValidationError for a token of another search, or one that was made up */
export function openToken(token: string, searched: unknown): PageToken {
  const continued = openCursor<[string | null, number]>(token, KIND, searched)
  if (continued === null) {
    const message = 'page.token must be the next_token of the previous page of the same search'
    throw invalidField('page.token', 'token', message)
  }
  const [cursor, limit] = continued
  return { cursor, limit }
}
