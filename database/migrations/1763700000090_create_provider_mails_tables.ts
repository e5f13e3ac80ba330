import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('provider_mails', (table) => {
      table.increments('id')
      // A keyed fingerprint: with a plain digest of the body, a reader could guess its codes.
      table.string('fingerprint', 64).notNullable().unique()
      table.string('claim', 36).notNullable()
      table.string('status', 8).notNullable()
      // The rendered mail, encrypted. Null once it is sent or has failed.
      table.text('content').nullable()
      table.string('template_source', 8).notNullable()
      table
        .integer('notification_id')
        .nullable()
        .references('notifications.id')
        .onDelete('SET NULL')
      table.integer('rounds').notNullable().defaultTo(0)
      table.timestamp('due_at', { useTz: true }).nullable()
      table.timestamp('give_up_at', { useTz: true }).notNullable()
      table.timestamp('received_at', { useTz: true }).notNullable().index()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })
    this.schema.raw(
      `create index provider_mails_due_index on provider_mails (due_at) where status = 'queued'`
    )

    this.schema.createTable('registration_locales', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('organisation_id').notNullable()
      table.string('locale', 35).notNullable()
      table.timestamp('expires_at', { useTz: true }).notNullable().index()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['email', 'organisation_id'])
    })
  }

  override async down() {
    this.schema.dropTable('registration_locales')
    this.schema.dropTable('provider_mails')
  }
}
