import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('broadcasts', (table) => {
      table.increments('id')
      // No foreign key: the record outlives its application. A new one with its code must not
      // inherit it.
      table
        .integer('application_id')
        .nullable()
        .references('applications.id')
        .onDelete('SET NULL')
        .index()
      table.string('app_code', 128).notNullable()
      table.string('type', 128).notNullable()
      table.string('template_key', 128).nullable()
      table.json('data').notNullable()
      table.string('locale', 35).nullable()
      table.json('audience').notNullable()
      table.integer('rate_per_second').nullable()
      table.string('created_by', 254).nullable()
      table.string('status', 16).notNullable()
      table.text('status_reason').nullable()
      table.integer('total').notNullable().defaultTo(0)
      table.integer('sent').notNullable().defaultTo(0)
      table.integer('failed').notNullable().defaultTo(0)
      table.integer('skipped').notNullable().defaultTo(0)
      // The progress of the audience's expansion.
      table.integer('expansion_step').notNullable().defaultTo(0)
      table.integer('expansion_after').notNullable().defaultTo(0)
      table.boolean('expanded').notNullable().defaultTo(false)
      // When recipients may be claimed, in Unix milliseconds, and how many the last claim got.
      table.double('next_claim_at').notNullable().defaultTo(0)
      table.integer('granted').notNullable().defaultTo(0)
      table.timestamp('scheduled_at', { useTz: true }).nullable()
      table.timestamp('started_at', { useTz: true }).nullable()
      table.timestamp('finished_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })
    this.schema.raw(
      `create index broadcasts_active_index on broadcasts (status) where status in ('scheduled', 'running')`
    )

    this.schema.createTable('broadcast_recipients', (table) => {
      table.increments('id')
      table.integer('broadcast_id').notNullable().references('broadcasts.id').onDelete('CASCADE')
      table.string('email', 254).notNullable()
      // Null until it is final.
      table.string('status', 8).nullable()
      // The notification in the log, which retries reuse.
      table.integer('notification_id').nullable()
      // When the claim expires or the next retry is due, in Unix milliseconds. Null before the
      // first claim.
      table.double('due_at').nullable()
      // Claims that did not finish, and temporary failures.
      table.integer('claims').notNullable().defaultTo(0)
      table.integer('tries').notNullable().defaultTo(0)
      table.unique(['broadcast_id', 'email'])
    })
    this.schema.raw(
      `create index broadcast_recipients_fresh_index on broadcast_recipients (broadcast_id, id) where due_at is null`
    )
    this.schema.raw(
      `create index broadcast_recipients_due_index on broadcast_recipients (broadcast_id, due_at) where status is null and due_at is not null`
    )
  }

  override async down() {
    this.schema.dropTable('broadcast_recipients')
    this.schema.dropTable('broadcasts')
  }
}
