/** For application codes, brands and user pools (conventions.md#slugs-and-codes). */
export const SLUG = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/

/** For permissions, roles, entities and notification types. */
export const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/

export const MAX_CODE_LENGTH = 128

/** The largest row id. PostgreSQL rejects comparisons with larger numbers. */
export const MAX_ID = 2_147_483_647

/** Properties of every JavaScript object, forbidden as codes to prevent prototype pollution. */
export const RESERVED_NAMES = Object.getOwnPropertyNames(Object.prototype).concat('prototype')

const reserved = new Set(RESERVED_NAMES)

export function isReservedName(code: string): boolean {
  return reserved.has(code)
}
