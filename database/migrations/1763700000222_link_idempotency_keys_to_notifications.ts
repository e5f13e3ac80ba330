import { BaseSchema } from '@adonisjs/lucid/schema'

/** The notification that the request stored, in case the process dies before it answers. */
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
