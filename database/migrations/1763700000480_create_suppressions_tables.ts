import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('suppressions', (table) => {
      table.increments('id')
      // After an erasure a fingerprint, which contains no `@`.
      table.string('email', 254).notNullable().unique()
      table.string('reason', 16).notNullable()
      table.text('note').nullable()
      // No foreign key: the suppression outlives the log entry.
      table.integer('notification_id').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.index(['reason', 'id'])
    })

    this.schema.createTable('mail_bounces', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('kind', 16).notNullable()
      // No foreign key: the log entry may be deleted first.
      table.integer('notification_id').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable().index()
      // A report that arrives again counts once.
      table.unique(['notification_id', 'kind'])
      table.index(['email', 'created_at'])
    })
  }

  override async down() {
    this.schema.dropTable('mail_bounces')
    this.schema.dropTable('suppressions')
  }
}
