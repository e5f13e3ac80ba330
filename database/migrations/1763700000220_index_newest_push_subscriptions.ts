import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('push_subscriptions', (table) => {
      table.index(['user_id', 'id'])
    })
  }

  override async down() {
    this.schema.alterTable('push_subscriptions', (table) => {
      table.dropIndex(['user_id', 'id'])
    })
  }
}
