import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('languages', (table) => {
      table.increments('id')
      table.string('code', 35).notNullable().unique()
      table.string('name').notNullable()
      table.string('fallback', 35).nullable()
      table.boolean('enabled').notNullable().defaultTo(true)
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('brands', (table) => {
      table.increments('id')
      table.string('slug', 128).notNullable().unique()
      table.string('name').notNullable()
      table.string('idp_org_id').nullable().unique()
      table.boolean('is_default').notNullable().defaultTo(false)
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('brands')
    this.schema.dropTable('languages')
  }
}
