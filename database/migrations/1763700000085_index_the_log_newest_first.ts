import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The lists of the log go by `-id`: for `id` PostgreSQL may walk the primary key, past everything others were sent since. The
 * inbox says `id + 0` for the same reason, so that neither takes the indexes of the other.
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
