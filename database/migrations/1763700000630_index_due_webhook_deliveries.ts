import { BaseSchema } from '@adonisjs/lucid/schema'

/** Finds the oldest due deliveries of a webhook, however many it has. */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw(
      'create index webhook_deliveries_due_by_webhook on webhook_deliveries (webhook_id, due_at) where due_at is not null'
    )
  }

  override async down() {
    this.schema.raw('drop index webhook_deliveries_due_by_webhook')
  }
}
