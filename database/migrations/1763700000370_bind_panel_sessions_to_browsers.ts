import { BaseSchema } from '@adonisjs/lucid/schema'

/** The browser of a session, when to try again to renew its tokens, and sign-ins that are over. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('panel_sessions', (table) => {
      table.string('browser_hash', 43).nullable().index()
      table.timestamp('renewal_paused_until', { useTz: true }).nullable()
      table.index('subject')
    })
    this.schema.createTable('panel_used_states', (table) => {
      table.increments('id')
      table.string('state_hash', 43).notNullable().unique()
      table.timestamp('expires_at', { useTz: true }).notNullable().index()
    })
  }

  override async down() {
    this.schema.dropTable('panel_used_states')
    this.schema.alterTable('panel_sessions', (table) => {
      table.dropIndex('subject')
      table.dropIndex('browser_hash')
      table.dropColumn('renewal_paused_until')
      table.dropColumn('browser_hash')
    })
  }
}
