import { BaseSchema } from '@adonisjs/lucid/schema'

/** Browsers that are signed in to the admin panel. The row has the hash of the cookie's secret. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('panel_sessions', (table) => {
      table.increments('id')
      table.string('secret_hash', 43).notNullable().unique()
      table.string('email').notNullable().index()
      table.string('subject').notNullable()
      table.text('tokens').notNullable()
      table.integer('version').notNullable()
      table.timestamp('refreshing_until', { useTz: true }).nullable()
      table.string('user_agent', 512).nullable()
      table.string('address', 64).notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('last_seen_at', { useTz: true }).notNullable()
      table.timestamp('expires_at', { useTz: true }).notNullable().index()
    })
  }

  override async down() {
    this.schema.dropTable('panel_sessions')
  }
}
