import type { DateTime } from 'luxon'

/** Name fields as some source states them; absent where it says nothing. */
export interface Names {
  firstName?: string
  lastName?: string
  displayName?: string
}

/** Names together with the time they were changed at their source (decisions 2.1). */
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
