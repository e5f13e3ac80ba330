import { column } from '@adonisjs/lucid/orm'
import { DeliveryAttemptSchema } from '#database/schema'
import type { Channel } from '#app/delivery/models/delivery'
import type { AttemptOutcome } from '#app/delivery/values/attempt_report'

/** See delivery.md#delivery-attempts. */
export default class DeliveryAttempt extends DeliveryAttemptSchema {
  @column()
  declare channel: Channel

  @column()
  declare outcome: AttemptOutcome
}
