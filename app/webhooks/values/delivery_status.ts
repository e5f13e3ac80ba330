/** `dropped` because too many events waited (webhooks.md#waiting-events). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/**
 * Why an attempt failed: the response had another status than 2xx, took too long, no connection was
 * made, the address is not allowed, the webhook was disabled, or its secret cannot be decrypted.
 */
export const FAILURE_REASONS = [
  'status',
  'timeout',
  'connect',
  'address',
  'disabled',
  'secret',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Why the service disabled a webhook: it failed for three days, or responded with 410. */
export const DISABLED_REASONS = ['failing', 'gone'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]
