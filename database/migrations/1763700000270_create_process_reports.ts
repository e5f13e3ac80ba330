import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('process_reports', (table) => {
      table.increments('id')
      table.string('process_id', 36).notNullable().unique()
      table.string('host').notNullable()
      table.integer('pid').notNullable()
      table.string('kind', 8).notNullable()
      table.string('version', 32).notNullable()
      table.json('state').notNullable()
      table.timestamp('started_at', { useTz: true }).notNullable()
      table.timestamp('seen_at', { useTz: true }).notNullable().index()
      table.timestamp('ended_at', { useTz: true }).nullable()
    })
  }

  override async down() {
    this.schema.dropTable('process_reports')
  }
}
