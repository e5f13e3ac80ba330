import { IdempotencyKeySchema } from '#database/schema'

/** See delivery.md#idempotency-key. */
export default class IdempotencyKey extends IdempotencyKeySchema {
  static readonly lifetimeHours = 24
}
