import type { RecipientStatus } from '@/queries/broadcast_recipients'
import type { BroadcastStatus } from '@/queries/broadcasts'

export const STATUS_TONES = {
  scheduled: 'info',
  running: 'primary',
  paused: 'warning',
  completed: 'success',
  cancelled: 'neutral',
  failed: 'error',
} as const satisfies Record<BroadcastStatus, string>

export const RECIPIENT_TONES = {
  waiting: 'info',
  sent: 'success',
  failed: 'error',
  skipped: 'neutral',
} as const satisfies Record<RecipientStatus, string>
