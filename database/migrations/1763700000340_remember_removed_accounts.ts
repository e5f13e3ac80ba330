import { BaseSchema } from '@adonisjs/lucid/schema'

/** The account of an erased person may have been removed, which is final. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('erased_identities', (table) => {
      table.boolean('removed').notNullable().defaultTo(false)
    })
  }

  override async down() {
    this.schema.alterTable('erased_identities', (table) => {
      table.dropColumn('removed')
    })
  }
}
