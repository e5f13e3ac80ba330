import { BaseSchema } from '@adonisjs/lucid/schema'

/** The provider reports only changed names, in any order, so each has its own timestamp. */
const NAMES = ['first_name', 'last_name', 'display_name']

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('provider_users', (table) => {
      table.increments('id')
      table.string('idp_user_id').notNullable().unique()
      table.json('facts').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.alterTable('users', (table) => {
      for (const name of NAMES) table.timestamp(`${name}_changed_at`, { useTz: true }).nullable()
    })
    for (const name of NAMES) {
      this.schema.raw(
        `update users set ${name}_changed_at = names_changed_at where ${name} is not null`
      )
    }
  }

  override async down() {
    this.schema.alterTable('users', (table) => {
      for (const name of NAMES) table.dropColumn(`${name}_changed_at`)
    })
    this.schema.dropTable('provider_users')
  }
}
