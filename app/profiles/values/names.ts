import { DateTime } from 'luxon'
import { isCleanText } from '#core/values/clean_text'
import { singleLine } from '#core/values/single_line'

/** Absent fields are not stated by the source. */
export interface Names {
  firstName?: string
  lastName?: string
  displayName?: string
}

export type StoredNames = Record<keyof Names, string | null>

/** Null clears a name. */
export type NameEdits = { [name in keyof Names]: Names[name] | null }

/** See profiles.md#sources-of-names. */
export interface DatedNames {
  names: NameEdits
  changedAt: DateTime
}

export function hasAnyName({ firstName, lastName, displayName }: NameEdits): boolean {
  return firstName !== undefined || lastName !== undefined || displayName !== undefined
}

export function namesDiffer(
  known: StoredNames,
  { firstName, lastName, displayName }: NameEdits
): boolean {
  return (
    (firstName !== undefined && firstName !== known.firstName) ||
    (lastName !== undefined && lastName !== known.lastName) ||
    (displayName !== undefined && displayName !== known.displayName)
  )
}

type NamedUser = StoredNames & { email: string }

export const MAX_NAME_LENGTH = 200

/** A name that the identity provider states, on one line; undefined if it is no usable text. */
export function statedName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isCleanText(value)) return undefined
  const name = singleLine(value)
  return name !== '' && name.length <= MAX_NAME_LENGTH ? name : undefined
}

/** The display name, else first and last name, else the local part of the address. */
export function effectiveDisplayName({ displayName, firstName, lastName, email }: NamedUser) {
  const fullName = [firstName, lastName].filter(Boolean).join(' ')
  return displayName || fullName || localPart(email)
}

export const localPart = (email: string): string => email.slice(0, email.lastIndexOf('@'))

/** Names with individual times of change. */
export type NameChanges = {
  [name in keyof Names]?: { value: string; changedAt: DateTime }
}

/** The tolerated clock skew of a source. */
const CLOCK_SKEW = { minutes: 5 }

/** A time in the future would block every later change until then. */
export function limitToPresent(changedAt: DateTime): DateTime {
  return DateTime.min(changedAt, DateTime.utc().plus(CLOCK_SKEW))
}
