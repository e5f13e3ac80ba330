/** See broadcasts.md#broadcast-states. */
export const BROADCAST_STATUSES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const

export type BroadcastStatus = (typeof BROADCAST_STATUSES)[number]

export const UNENDED: readonly BroadcastStatus[] = ['scheduled', 'running', 'paused']

export const hasEnded = (status: BroadcastStatus) => !UNENDED.includes(status)
