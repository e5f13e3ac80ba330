import { BaseSchema } from '@adonisjs/lucid/schema'

/** For the orders of the list of users. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('users', (table) => table.index(['created_at', 'id']))
    this.schema.alterTable('application_preferences', (table) => {
      table.index(['last_login_at', 'user_id'])
    })
  }

  override async down() {
    this.schema.alterTable('application_preferences', (table) => {
      table.dropIndex(['last_login_at', 'user_id'])
    })
    this.schema.alterTable('users', (table) => table.dropIndex(['created_at', 'id']))
  }
}
