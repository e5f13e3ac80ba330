import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('provider_mails', (table) => {
      // Brands take turns, so that a dead server does not delay the codes of others.
      table.integer('brand_id').notNullable().defaultTo(0)
    })
  }

  override async down() {
    this.schema.alterTable('provider_mails', (table) => table.dropColumn('brand_id'))
  }
}
