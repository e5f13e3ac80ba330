import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('notification_preferences', (table) => {
      table.increments('id')
      table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table
        .integer('notification_type_id')
        .notNullable()
        .references('notification_types.id')
        .onDelete('CASCADE')
      table.boolean('email').notNullable()
      table.boolean('push').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['user_id', 'notification_type_id'])
    })

    this.schema.createTable('push_subscriptions', (table) => {
      table.increments('id')
      table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
      // Endpoints are too long for an index, so their digest is unique instead.
      table.string('endpoint_digest', 64).notNullable().unique()
      table.text('endpoint').notNullable()
      table.string('p256dh').notNullable()
      table.string('auth').notNullable()
      table.string('device_label').nullable()
      table.timestamp('last_used_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    // The log outlives applications, types and templates, hence codes and no foreign keys.
    this.schema.createTable('notifications', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('app_code', 128).notNullable()
      table.string('app_name').notNullable()
      table.string('type', 128).notNullable()
      table.string('template_key', 128).nullable()
      table.string('locale', 35).notNullable()
      table.text('subject').notNullable()
      table.string('status', 8).notNullable()
      table.text('status_reason').nullable()
      table.json('payload').notNullable()
      table.boolean('in_inbox').notNullable().defaultTo(true)
      table.timestamp('read_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.index(['email', 'id'])
      table.index(['app_code', 'id'])
    })
    // With `id`, PostgreSQL might scan the primary key for an inbox, past everyone's messages.
    this.schema.raw(
      'create index notifications_inbox_index on notifications (email, (id + 0)) where in_inbox = true'
    )
    this.schema.raw(
      'create index notifications_unread_index on notifications (email, (id + 0)) where in_inbox = true and read_at is null'
    )

    this.schema.createTable('deliveries', (table) => {
      table.increments('id')
      table
        .integer('notification_id')
        .notNullable()
        .references('notifications.id')
        .onDelete('CASCADE')
        .index()
      table.string('channel', 8).notNullable()
      table.string('status', 8).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.string('provider_message_id').nullable()
      table.text('error').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('idempotency_keys', (table) => {
      table.increments('id')
      table.string('key_digest', 64).notNullable().unique()
      table.string('body_digest', 64).notNullable()
      // Null while the first request is in progress.
      table.text('answer').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable().index()
    })
  }

  override async down() {
    this.schema.dropTable('idempotency_keys')
    this.schema.dropTable('deliveries')
    this.schema.dropTable('notifications')
    this.schema.dropTable('push_subscriptions')
    this.schema.dropTable('notification_preferences')
  }
}
