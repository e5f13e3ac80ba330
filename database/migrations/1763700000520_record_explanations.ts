import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('notifications', (table) => {
      // Null in entries from before explanations were recorded.
      table.text('explanation').nullable()
    })
  }

  override async down() {
    this.schema.alterTable('notifications', (table) => {
      table.dropColumn('explanation')
    })
  }
}
