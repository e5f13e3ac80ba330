import { BaseSchema } from '@adonisjs/lucid/schema'

/** For counts per application and day. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('notifications', (table) => table.index(['app_code', 'created_at']))
    this.schema.alterTable('login_records', (table) => {
      table.index(['app_code', 'occurred_at', 'event'])
    })
  }

  override async down() {
    this.schema.alterTable('login_records', (table) => {
      table.dropIndex(['app_code', 'occurred_at', 'event'])
    })
    this.schema.alterTable('notifications', (table) => table.dropIndex(['app_code', 'created_at']))
  }
}
