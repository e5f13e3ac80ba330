import { invalidField } from '#core/exceptions/problems'
import { DEFAULT_PAGE_SIZE } from '#core/http/paging'
import { MAX_ID } from '#core/values/identifiers'

export const USER_SORTS = ['id', 'email', '-createdAt', '-lastLoginAt'] as const
export type UserSort = (typeof USER_SORTS)[number]

/** The parts of each order, one after the other. */
export const PARTS = {
  'id': ['records', 'holders'],
  'email': ['everyone'],
  '-createdAt': ['newest', 'holders'],
  '-lastLoginAt': ['logins', 'neverLoggedIn', 'holders'],
} as const satisfies Record<UserSort, readonly string[]>
export type Part = (typeof PARTS)[UserSort][number]

/** A user's place in the order: what their part is sorted by. */
export interface UsersPosition {
  part: Part
  id?: number
  email?: string
  /** A timestamp. */
  at?: string
}

export interface UsersPage {
  limit: number
  sort: UserSort
  after: UsersPosition | null
}

export interface UsersQuery {
  limit?: number
  sort?: UserSort
  cursor?: string
}

/** @throws ValidationError for a cursor of another list or order */
export function usersPageOf({ limit, sort = 'id', cursor }: UsersQuery): UsersPage {
  const after = cursor === undefined ? null : decodeCursor(cursor, sort)
  return { limit: limit ?? DEFAULT_PAGE_SIZE, sort, after }
}

export function encodeUsersCursor({ part, id, email, at }: UsersPosition): string {
  return Buffer.from(JSON.stringify([part, id ?? null, email ?? null, at ?? null])).toString(
    'base64url'
  )
}

function decodeCursor(cursor: string, sort: UserSort): UsersPosition {
  const position = parsePosition(Buffer.from(cursor, 'base64url').toString())
  if (position && (PARTS[sort] as readonly Part[]).includes(position.part)) return position
  const message = 'The cursor must come from the Link header of a previous page of the same list'
  throw invalidField('cursor', 'cursor', message)
}

/** A cursor may have been made up, so its values are checked like any other input. */
function parsePosition(text: string): UsersPosition | null {
  const values = parseArray(text)
  if (values === null) return null
  const [part, id, email, at] = values
  const hasId = Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) <= MAX_ID
  const hasEmail = typeof email === 'string' && email.length <= 254 && !email.includes('\0')
  const hasTime = typeof at === 'string' && isTimestamp(at)
  switch (part) {
    case 'records':
    case 'neverLoggedIn':
      return hasId ? { part, id: id as number } : null
    case 'everyone':
    case 'holders':
      return hasEmail ? { part, email } : null
    case 'newest':
    case 'logins':
      return hasId && hasTime ? { part, id: id as number, at } : null
    default:
      return null
  }
}

/** Whether it is written as the service writes timestamps, so that every database reads it. */
function isTimestamp(text: string): boolean {
  const time = new Date(text)
  return (
    /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text
  )
}

function parseArray(text: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values : null
  } catch {
    return null
  }
}
