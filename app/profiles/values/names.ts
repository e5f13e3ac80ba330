import { DateTime } from 'luxon'

/** Absent fields are not stated by the source. */
export interface Names {
  firstName?: string
  lastName?: string
  displayName?: string
}

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
  known: Record<keyof Names, string | null>,
  { firstName, lastName, displayName }: NameEdits
): boolean {
  return (
    (firstName !== undefined && firstName !== known.firstName) ||
    (lastName !== undefined && lastName !== known.lastName) ||
    (displayName !== undefined && displayName !== known.displayName)
  )
}

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
