import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('pending_sends', (table) => {
      // Rounds that ended without the reply of a server that had received the mail.
      table.integer('unconfirmed').notNullable().defaultTo(0)
    })
  }

  override async down() {
    this.schema.alterTable('pending_sends', (table) => table.dropColumn('unconfirmed'))
  }
}
