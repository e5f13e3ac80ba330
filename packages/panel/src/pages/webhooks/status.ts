import type { Webhook } from '@/queries/webhooks'

/** How a delivery looks. */
export const DELIVERY_TONES = {
  pending: 'info',
  delivered: 'success',
  failed: 'error',
  dropped: 'warning',
} as const

/** How a webhook is doing. */
export function stateOf({ enabled, failingSince, lastSuccessAt }: Webhook) {
  if (!enabled) return 'disabled'
  if (failingSince) return 'failing'
  return lastSuccessAt ? 'working' : 'unused'
}

export const STATE_TONES = {
  disabled: 'neutral',
  failing: 'error',
  working: 'success',
  unused: 'neutral',
} as const
