import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('handled_events', (table) => {
      table.increments('id')
      table.string('digest', 64).notNullable().unique()
      table.timestamp('created_at', { useTz: true }).notNullable().index()
    })
  }

  override async down() {
    this.schema.dropTable('handled_events')
  }
}
