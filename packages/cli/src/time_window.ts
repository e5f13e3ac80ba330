import { type Command, InvalidArgumentError } from 'commander'

/** When an assignment, an override or an administrator counts; without limits, always. */
export interface WindowOptions {
  from?: string
  until?: string
}

export function inWindow(target: Command) {
  return target
    .option('--from <time>', 'begin, such as 2027-01-01; at once by default', toTimestamp)
    .option('--until <time>', 'end, such as 2027-02-01T12:00Z; never by default', toTimestamp)
}

export function windowOf({ from, until }: WindowOptions) {
  return { ...(from && { validFrom: from }), ...(until && { validUntil: until }) }
}

/** A date means its first moment in UTC. */
function toTimestamp(text: string): string {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = isIso ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError(
    'Use a date such as 2027-01-01, or a time with its zone such as 2027-01-01T12:00Z.'
  )
}
