import { column } from '@adonisjs/lucid/orm'
import { WebhookDeliverySchema } from '#database/schema'
import type { DeliveryStatus, FailureReason } from '#app/webhooks/values/delivery_status'

/** An event for one webhook. Every attempt has the same `messageId`. */
export default class WebhookDelivery extends WebhookDeliverySchema {
  @column()
  declare status: DeliveryStatus

  @column()
  declare failureReason: FailureReason | null
}
