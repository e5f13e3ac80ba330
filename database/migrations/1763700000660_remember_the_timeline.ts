import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('change_revisions', (table) => {
      // Of PostgreSQL, which a failover or a recovery changes. Null until it is known.
      table.string('timeline', 8).nullable()
    })
  }

  override async down() {
    this.schema.alterTable('change_revisions', (table) => table.dropColumn('timeline'))
  }
}
