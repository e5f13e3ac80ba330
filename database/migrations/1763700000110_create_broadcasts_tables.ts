import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('broadcasts', (table) => {
      table.increments('id')
      // The record outlives its application, which a later one of the same code must not inherit.
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
      // Where the expansion of the audience has got to.
      table.integer('expansion_step').notNullable().defaultTo(0)
      table.integer('expansion_after').notNullable().defaultTo(0)
      table.boolean('expanded').notNullable().defaultTo(false)
      // From when on recipients may be claimed, in milliseconds since 1970, and how many the last claim was granted.
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
      // The record in the log, once there is one: a repeated attempt is for the same one.
      table.integer('notification_id').nullable()
      // Null until it is claimed first; then when its lease runs out or its next try is due, in milliseconds since 1970.
      table.double('due_at').nullable()
      // Claims that nobody came back from, and tries that failed for a reason that may pass.
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
