import { createHash } from 'node:crypto'
import { invalidField } from '#core/exceptions/problems'
import { secrets } from '#core/secrets'

/** What a token continues. */
export interface PageToken {
  /** Of the search that the token belongs to; null if the first page had no results. */
  cursor: string | null
  /** Stays the same on all pages. */
  limit: number
}

/** @param searched everything that the search asks for: no other search accepts the token */
export function sealToken({ cursor, limit }: PageToken, searched: unknown): string {
  return secrets.encrypt(JSON.stringify([cursor, limit]), purposeOf(searched))
}

/** @throws ValidationError for a token of another search, or one that was made up */
export function openToken(token: string, searched: unknown): PageToken {
  const sealed = secrets.decrypt(token, purposeOf(searched))
  if (sealed === null) {
    const message = 'page.token must be the next_token of the previous page of the same search'
    throw invalidField('page.token', 'token', message)
  }
  const [cursor, limit] = JSON.parse(sealed) as [string | null, number]
  return { cursor, limit }
}

function purposeOf(searched: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(searched)).digest('base64url')
  return `authzen:${digest}`
}
