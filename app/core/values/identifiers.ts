/** A slug: lower case, without spaces; application codes, brands, organisations' pools (conventions.md#slugs-and-codes). */
export const SLUG = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/

/** A technical code chosen by people: permissions, roles, entities, notification types. */
export const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/

export const MAX_CODE_LENGTH = 128

/** The largest id of a row; PostgreSQL refuses to compare one with anything larger. */
export const MAX_ID = 2_147_483_647

/** Names that mean something to every JavaScript object, refused as codes so that no map can be poisoned. */
export const RESERVED_NAMES = Object.getOwnPropertyNames(Object.prototype).concat('prototype')

const reserved = new Set(RESERVED_NAMES)

export function isReservedName(code: string): boolean {
  return reserved.has(code)
}
