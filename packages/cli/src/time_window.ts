import type { Command } from 'commander'
import { toTimestamp } from './timestamp.ts'

/** When an assignment, an override or an administrator counts; without limits, always. */
export interface WindowOptions {
  from?: string
  until?: string
}

export function inWindow(target: Command) {
  return target
    .option('--from <time>', 'start time, such as 2027-01-01; immediately by default', toTimestamp)
    .option('--until <time>', 'end time, such as 2027-02-01T12:00Z; none by default', toTimestamp)
}

export function windowOf({ from, until }: WindowOptions) {
  return { ...(from && { validFrom: from }), ...(until && { validUntil: until }) }
}
