import { IdempotencyKeySchema } from '#database/schema'

/** The first request that carried an `Idempotency-Key`, with its answer once there is one (delivery.md#idempotency-key). */
export default class IdempotencyKey extends IdempotencyKeySchema {}
