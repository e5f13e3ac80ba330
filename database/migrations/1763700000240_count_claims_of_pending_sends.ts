import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('pending_sends', (table) => {
      // Claims since the last recorded round. More than one means that processes have died.
      table.integer('claims').notNullable().defaultTo(0)
    })
  }

  override async down() {
    this.schema.alterTable('pending_sends', (table) => table.dropColumn('claims'))
  }
}
