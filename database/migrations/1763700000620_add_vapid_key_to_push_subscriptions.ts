import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('push_subscriptions', (table) => {
      // Null if it was not known with which key the browser subscribed.
      table.string('vapid_public_key').nullable()
    })
  }

  override async down() {
    this.schema.alterTable('push_subscriptions', (table) => {
      table.dropColumn('vapid_public_key')
    })
  }
}
