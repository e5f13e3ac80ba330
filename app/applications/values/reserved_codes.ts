import { ReservedCode } from '#app/applications/exceptions'

/** Path segments in places where an application code can also appear. */
export const RESERVED_CODES = [
  'admins',
  'bulk',
  'inbox',
  'log',
  'me',
  'preferences',
  'templates',
  'types',
]

/** @throws ReservedCode */
export function requireFreeSegment(code: string) {
  if (!RESERVED_CODES.includes(code)) return
  throw new ReservedCode({
    detail: `The code "${code}" is reserved, because it is part of paths`,
    details: { reserved: RESERVED_CODES },
  })
}
