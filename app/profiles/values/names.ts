import { DateTime } from 'luxon'

/** Name fields as some source states them; absent where it says nothing. */
export interface Names {
  firstName?: string
  lastName?: string
  displayName?: string
}

/** Names together with the time they were changed at their source (profiles.md#sources-of-names). */
export interface DatedNames {
  names: Names
  changedAt: DateTime
}

export function statesAnyName({ firstName, lastName, displayName }: Names): boolean {
  return firstName !== undefined || lastName !== undefined || displayName !== undefined
}

/** Whether any stated name is not the one already known. */
export function differFrom(
  known: Record<keyof Names, string | null>,
  { firstName, lastName, displayName }: Names
): boolean {
  return (
    (firstName !== undefined && firstName !== known.firstName) ||
    (lastName !== undefined && lastName !== known.lastName) ||
    (displayName !== undefined && displayName !== known.displayName)
  )
}

/** Names that each have a time of their own, as far as they were told. */
export type ToldNames = {
  [name in keyof Names]?: { value: string; changedAt: DateTime }
}

/** How far the clock of a source may be ahead of ours. */
const SKEW = { minutes: 5 }

/** A change has happened: a time to come would shut out every later change until then. */
export function notToCome(changedAt: DateTime): DateTime {
  return DateTime.min(changedAt, DateTime.utc().plus(SKEW))
}
