/** See broadcasts.md#broadcast-states. */
export type BroadcastStatus =
  'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled' | 'failed'

const ENDED: ReadonlySet<BroadcastStatus> = new Set(['completed', 'cancelled', 'failed'])

export const hasEnded = (status: BroadcastStatus) => ENDED.has(status)
