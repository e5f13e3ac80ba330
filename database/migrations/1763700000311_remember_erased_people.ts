import { BaseSchema } from '@adonisjs/lucid/schema'

/** Keyed fingerprints of erased addresses and accounts: late events do not recreate them. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('erased_identities', (table) => {
      table.increments('id')
      table.string('fingerprint', 64).notNullable().unique()
      // Whether the person may return as active.
      table.boolean('active').notNullable()
      // Position of the erasure among the events of the provider.
      table.text('erased_at').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('erased_identities')
  }
}
