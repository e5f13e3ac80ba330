import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('broadcasts', (table) => {
      // Counts changes of a scheduled one. Its data is part of no response.
      table.integer('revision').notNullable().defaultTo(1)
    })
    // An expression, because PostgreSQL does not sort by the rest of an index after `is null`.
    this.schema.raw(
      `create index broadcast_recipients_status_index
       on broadcast_recipients (broadcast_id, (coalesce(status, 'waiting')), email)`
    )
  }

  override async down() {
    this.schema.raw('drop index broadcast_recipients_status_index')
    this.schema.alterTable('broadcasts', (table) => table.dropColumn('revision'))
  }
}
