/** See broadcasts.md#broadcast-states. */
export type BroadcastStatus =
  'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled' | 'failed'

export const UNENDED: readonly BroadcastStatus[] = ['scheduled', 'running', 'paused']

export const hasEnded = (status: BroadcastStatus) => !UNENDED.includes(status)
