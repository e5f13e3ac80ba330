import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('pending_sends', (table) => {
      table.increments('id')
      table
        .integer('notification_id')
        .notNullable()
        .unique()
        .references('notifications.id')
        .onDelete('CASCADE')
      // The channels that are still to be tried.
      table.json('channels').notNullable()
      // Accounts take turns, so that a dead server does not block the mail of others.
      table.string('account').notNullable()
      // The rendered message, encrypted.
      table.text('content').notNullable()
      table.string('claim', 36).notNullable()
      table.integer('rounds').notNullable().defaultTo(0)
      // When its next round is due, or when its current claim expires.
      table.timestamp('due_at', { useTz: true }).notNullable().index()
      table.timestamp('give_up_at', { useTz: true }).notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('pending_sends')
  }
}
