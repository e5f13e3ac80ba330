import type { useI18n } from 'vue-i18n'
import type { RecipientStatus } from '@/queries/broadcast_recipients'
import type { Broadcast, BroadcastStatus } from '@/queries/broadcasts'

type Translate = ReturnType<typeof useI18n>['t']

export const TONES = {
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

/** To whom it goes, in a few words. */
export function audienceText(t: Translate, audience: Broadcast['audience']): string {
  const kind = audience.kind as 'emails' | 'application' | 'role' | 'all'
  const role = 'roleCode' in audience ? audience.roleCode : ''
  return t(`broadcasts.audienceOf.${kind}`, { role })
}
