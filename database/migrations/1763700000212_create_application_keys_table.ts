import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('application_keys', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
        .index()
      table.string('name').notNullable()
      table.string('prefix', 16).notNullable()
      // A fast hash is enough, because a key has 256 random bits.
      table.string('digest', 64).notNullable().unique()
      table.timestamp('last_used_at', { useTz: true }).nullable()
      table.timestamp('expires_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('application_keys')
  }
}
