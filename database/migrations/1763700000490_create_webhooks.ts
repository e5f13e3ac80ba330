import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('webhooks', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('url', 2_048).notNullable()
      // JSON: the types of events.
      table.text('events').notNullable()
      table.boolean('enabled').notNullable()
      // Encrypted. The previous one also signs until it expires.
      table.text('secret').notNullable()
      table.text('previous_secret').nullable()
      table.timestamp('previous_secret_expires_at', { useTz: true }).nullable()
      // Changes before these are not for this webhook: the position in the log of access changes,
      // and in the audit trail.
      table.bigInteger('since_revision').notNullable()
      table.integer('since_sequence').notNullable()
      // Null if an administrator disabled it.
      table.string('disabled_reason', 16).nullable()
      table.timestamp('disabled_at', { useTz: true }).nullable()
      table.timestamp('failing_since', { useTz: true }).nullable()
      table.timestamp('last_success_at', { useTz: true }).nullable()
      table.timestamp('last_failure_at', { useTz: true }).nullable()
      table.string('last_failure_reason', 16).nullable()
      table.integer('last_failure_status').nullable()
      table.integer('dropped_events').notNullable().defaultTo(0)
      table.timestamp('last_dropped_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.index(['application_id'])
    })
    this.schema.raw('create index webhooks_enabled on webhooks (id) where enabled')
    this.schema.createTable('webhook_deliveries', (table) => {
      table.increments('id')
      table.integer('webhook_id').notNullable().references('webhooks.id').onDelete('CASCADE')
      table.string('message_id', 64).notNullable()
      table.string('type', 64).notNullable()
      // The user that the event is about; null for events about nobody, and about erased users.
      table.string('email').nullable()
      // JSON: the body. Null once it is removed, so that the event cannot be sent again.
      table.text('content').nullable()
      table.string('status', 16).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.string('claim', 36).nullable()
      // Null if no attempt will follow.
      table.timestamp('due_at', { useTz: true }).nullable()
      table.timestamp('give_up_at', { useTz: true }).notNullable()
      table.timestamp('last_attempt_at', { useTz: true }).nullable()
      table.integer('response_status').nullable()
      table.string('failure_reason', 16).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.index(['created_at'])
    })
    this.schema.raw(
      'create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null'
    )
    this.schema.raw(
      'create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, id) where due_at is not null'
    )
    // An expression keeps PostgreSQL from reading the primary key backwards instead.
    this.schema.raw(
      'create index webhook_deliveries_list on webhook_deliveries (webhook_id, (-id))'
    )
    this.schema.raw(
      'create index webhook_deliveries_email on webhook_deliveries (email) where email is not null'
    )
    // The only row: up to where access changes and audit entries became events.
    this.schema.createTable('webhook_positions', (table) => {
      table.increments('id')
      table.bigInteger('revision').notNullable()
      table.integer('sequence').notNullable()
    })
    this.defer(async (db) => {
      await db.table('webhook_positions').insert({ id: 1, revision: 0, sequence: 0 })
    })
  }

  override async down() {
    this.schema.dropTable('webhook_positions')
    this.schema.dropTable('webhook_deliveries')
    this.schema.dropTable('webhooks')
  }
}
