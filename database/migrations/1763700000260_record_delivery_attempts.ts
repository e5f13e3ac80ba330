import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('delivery_attempts', (table) => {
      table.increments('id')
      table
        .integer('notification_id')
        .notNullable()
        .references('notifications.id')
        .onDelete('CASCADE')
        .index()
      table.string('channel', 8).notNullable()
      table.string('outcome', 8).notNullable()
      // The SMTP reply code, or the HTTP status of the push service.
      table.integer('code').nullable()
      table.text('text').nullable()
      table.timestamp('at', { useTz: true }).notNullable()
    })

    this.schema.alterTable('notifications', (table) => {
      // No foreign key: the log does not depend on what it refers to.
      table.integer('broadcast_id').nullable()
      table.string('template_source', 8).nullable()
      // Null for entries from before this column.
      table.json('sensitive_variables').nullable()
    })
    this.schema.raw(
      `update notifications set broadcast_id = broadcast_recipients.broadcast_id
       from broadcast_recipients where broadcast_recipients.notification_id = notifications.id`
    )
    this.schema.raw(
      'create index notifications_broadcast_log_index on notifications (broadcast_id, (-id)) where broadcast_id is not null'
    )
    // For the log of all applications, where failures are a small part of the entries.
    this.schema.raw(
      `create index notifications_failed_log_index on notifications ((-id)) where status = 'failed'`
    )
  }

  override async down() {
    this.schema.raw('drop index notifications_failed_log_index')
    this.schema.raw('drop index notifications_broadcast_log_index')
    this.schema.alterTable('notifications', (table) => {
      table.dropColumns('broadcast_id', 'template_source', 'sensitive_variables')
    })
    this.schema.dropTable('delivery_attempts')
  }
}
