import type { MinuteOfRequests } from '#core/metrics/last_hour'

/** What a process reports about itself. */
export type ProcessState = {
  memoryBytes: number
  /** Of the decision cache, since the process started */
  cache: { hits: number; misses: number; size: number }
  minutes: MinuteOfRequests[]
}
