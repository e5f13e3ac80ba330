import { createHash } from 'node:crypto'
import { column } from '@adonisjs/lucid/orm'
import { PushSubscriptionSchema } from '#database/schema'

/** A browser that takes Web Push for a person (delivery.md#subscription-fields). */
export default class PushSubscription extends PushSubscriptionSchema {
  // Named: the naming strategy would make `p_256_dh` of it.
  @column({ columnName: 'p256dh' })
  declare p256Dh: string

  static digestOf(endpoint: string): string {
    return createHash('sha256').update(endpoint).digest('hex')
  }
}
