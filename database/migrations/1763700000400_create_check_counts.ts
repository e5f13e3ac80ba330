import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('check_counts', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      // In UTC.
      table.date('day').notNullable().index()
      table.bigInteger('count').notNullable()
      table.unique(['application_id', 'day'])
    })
  }

  override async down() {
    this.schema.dropTable('check_counts')
  }
}
