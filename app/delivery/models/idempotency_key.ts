import { IdempotencyKeySchema } from '#database/schema'

/** The first request that carried an `Idempotency-Key`, with its answer once there is one (decisions 4.5). */
export default class IdempotencyKey extends IdempotencyKeySchema {}
