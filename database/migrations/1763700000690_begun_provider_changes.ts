import { BaseSchema } from '@adonisjs/lucid/schema'

/** What is being changed at the identity provider and has no audit entry yet. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('begun_provider_changes', (table) => {
      table.increments('id')
      table.timestamp('begun_at', { useTz: true }).notNullable().index()
      // The audit entry, in case the process dies before it adds one.
      table.text('entry').notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('begun_provider_changes')
  }
}
