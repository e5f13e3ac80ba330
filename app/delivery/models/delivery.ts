import { column } from '@adonisjs/lucid/orm'
import type { BelongsTo } from '@adonisjs/lucid/types/relations'
import { belongsTo } from '#core/database/relations'
import { DeliverySchema } from '#database/schema'
import Notification from '#app/notifications/models/notification'

export type Channel = 'email' | 'push'

/** See delivery.md#delivery-rows. */
export default class Delivery extends DeliverySchema {
  @column()
  declare channel: Channel

  @column()
  declare status: 'sent' | 'failed'

  @belongsTo(() => Notification)
  declare notification: BelongsTo<typeof Notification>
}
