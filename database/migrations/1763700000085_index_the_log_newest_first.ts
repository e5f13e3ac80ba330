import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Queries use `-id`, because with `id` PostgreSQL might scan the primary key, and differ from those
 * of the inbox (`id + 0`), so that neither uses the other's indexes.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw('create index notifications_email_log_index on notifications (email, (-id))')
    this.schema.raw(
      'create index notifications_app_code_log_index on notifications (app_code, (-id))'
    )
    this.schema.alterTable('notifications', (table) => {
      table.dropIndex(['email', 'id'])
      table.dropIndex(['app_code', 'id'])
    })
  }

  override async down() {
    this.schema.alterTable('notifications', (table) => {
      table.index(['email', 'id'])
      table.index(['app_code', 'id'])
    })
    this.schema.raw('drop index notifications_email_log_index')
    this.schema.raw('drop index notifications_app_code_log_index')
  }
}
