import type { MinuteOfRequests } from '#core/metrics/last_hour'

/** What a process reports about itself. */
export type ProcessState = {
  memoryBytes: number
  /** Of the decision cache, since the process started */
  cache: { hits: number; misses: number; size: number }
  /**
   * When the identity provider's keys for tokens were read, as an ISO timestamp; null if they never
   * were, and missing in reports of earlier versions
   */
  tokenKeysReadAt?: string | null
  minutes: MinuteOfRequests[]
}
