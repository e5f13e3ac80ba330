import { BaseSchema } from '@adonisjs/lucid/schema'

/** What a key's request has stored: it outlives a process that dies before it has answered. */
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
