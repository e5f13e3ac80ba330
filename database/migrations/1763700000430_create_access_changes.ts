import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('change_revisions', (table) => {
      table.increments('id')
      // Of the last change. One row, so that revisions are in the order of the commits.
      table.bigInteger('revision').notNullable()
      // Changes up to this one may have been removed.
      table.bigInteger('removed_through').notNullable()
    })
    this.schema.createTable('access_changes', (table) => {
      table.bigInteger('id').primary()
      table.timestamp('at', { useTz: true }).notNullable()
      // JSON: whose decisions it may have altered.
      table.text('scopes').notNullable()
      table.index(['at'])
    })
    // Entries get their revisions together, when they get their places in the chain.
    this.schema.createTable('audit_revisions', (table) => {
      // Of the last entry; those before it have the revisions before it.
      table.bigInteger('id').primary()
      table.timestamp('at', { useTz: true }).notNullable()
      table.integer('first_sequence').notNullable()
      table.integer('entries').notNullable()
      table.index(['at'])
    })
    this.defer(async (db) => {
      await db.table('change_revisions').insert({ id: 1, revision: 0, removed_through: 0 })
    })
  }

  override async down() {
    this.schema.dropTable('audit_revisions')
    this.schema.dropTable('access_changes')
    this.schema.dropTable('change_revisions')
  }
}
