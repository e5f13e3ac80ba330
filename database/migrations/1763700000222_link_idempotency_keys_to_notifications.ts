import { BaseSchema } from '@adonisjs/lucid/schema'

/** The notification that a key's request has stored, in case the process dies before it answers. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('idempotency_keys', (table) => {
      table.integer('notification_id').nullable()
    })
  }

  override async down() {
    this.schema.alterTable('idempotency_keys', (table) => {
      table.dropColumn('notification_id')
    })
  }
}
