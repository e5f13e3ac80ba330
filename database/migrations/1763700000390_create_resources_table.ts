import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('resources', (table) => {
      table.increments('id')
      table.integer('entity_id').notNullable().references('entities.id').onDelete('CASCADE')
      table.string('resource_id').notNullable()
      table.string('label').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      // JSON. The last column, because SQLite reads all that come before the one it looks for.
      table.text('properties').notNullable()
      table.unique(['entity_id', 'resource_id'])
      table.index(['entity_id', 'id'])
    })
  }

  override async down() {
    this.schema.dropTable('resources')
  }
}
