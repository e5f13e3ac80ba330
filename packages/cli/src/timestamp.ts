import { InvalidArgumentError } from 'commander'

const ISO = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads a time of an option. A date means its first moment in UTC. */
export function toTimestamp(text: string): string {
  const [, day] = ISO.exec(text) ?? []
  const time = day !== undefined && exists(day) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError(
    'Use a date such as 2027-01-01, or a time with its zone such as 2027-01-01T12:00Z.'
  )
}

/** `Date` takes 30 February for 2 March. */
function exists(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
