import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    // What users did with their items, for open streams and those that resume.
    this.schema.createTable('inbox_changes', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('kind', 10).notNullable()
      table.json('items').notNullable()
      table.timestamp('at', { useTz: true }).notNullable().index()
      table.index(['email', 'at'])
    })
    this.schema.createTable('inbox_stream_tickets', (table) => {
      table.increments('id')
      table.string('digest', 64).notNullable().unique()
      table.string('email', 254).notNullable().index()
      table.string('subject', 255).notNullable()
      table.integer('panel_session_id').nullable()
      table.timestamp('token_expires_at', { useTz: true }).notNullable()
      table.timestamp('expires_at', { useTz: true }).notNullable().index()
    })
  }

  override async down() {
    this.schema.dropTable('inbox_stream_tickets')
    this.schema.dropTable('inbox_changes')
  }
}
