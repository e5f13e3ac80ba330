import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('audit_entries', (table) => {
      // Null for entries that were sealed before, that have no place yet, or that were redacted.
      table.string('salt', 32).nullable()
    })
  }

  override async down() {
    this.schema.alterTable('audit_entries', (table) => table.dropColumn('salt'))
  }
}
