import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('instances', (table) => {
      table.boolean('approved').notNullable().defaultTo(false)
    })
    // Existing instances were already synchronised, so they keep working.
    this.schema.raw('update instances set approved = true')
  }

  override async down() {
    this.schema.alterTable('instances', (table) => table.dropColumn('approved'))
  }
}
