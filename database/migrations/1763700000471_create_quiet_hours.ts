import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('users', (table) => {
      // With the user, because every send reads both. Null until they are first set.
      table.json('quiet_hours').nullable()
    })
    this.schema.alterTable('notification_types', (table) => {
      // Whether its messages are delivered in quiet hours too.
      table.boolean('urgent').notNullable().defaultTo(false)
    })
  }

  override async down() {
    this.schema.alterTable('notification_types', (table) => table.dropColumn('urgent'))
    this.schema.alterTable('users', (table) => table.dropColumn('quiet_hours'))
  }
}
