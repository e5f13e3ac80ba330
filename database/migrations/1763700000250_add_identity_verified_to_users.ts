import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('users', (table) => {
      // False while only events of the provider name the account, which do not prove the address.
      table.boolean('identity_verified').notNullable().defaultTo(true)
    })
  }

  override async down() {
    this.schema.alterTable('users', (table) => table.dropColumn('identity_verified'))
  }
}
