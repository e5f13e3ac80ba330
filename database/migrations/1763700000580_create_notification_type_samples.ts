import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('notification_type_samples', (table) => {
      table.increments('id')
      table
        .integer('notification_type_id')
        .notNullable()
        .references('notification_types.id')
        .onDelete('CASCADE')
      table.string('name', 100).notNullable()
      table.json('data').notNullable()
      table.unique(['notification_type_id', 'name'])
    })
  }

  override async down() {
    this.schema.dropTable('notification_type_samples')
  }
}
