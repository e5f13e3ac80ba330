import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('notification_templates', (table) => {
      table.increments('id')
      table
        .integer('notification_type_id')
        .notNullable()
        .references('notification_types.id')
        .onDelete('CASCADE')
      table.string('key', 128).notNullable()
      table.string('name').notNullable()
      table.text('description').nullable()
      table.json('variables').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['notification_type_id', 'key'])
    })

    this.schema.createTable('template_versions', (table) => {
      table.increments('id')
      table
        .integer('notification_template_id')
        .notNullable()
        .references('notification_templates.id')
        .onDelete('CASCADE')
      table.string('locale', 35).notNullable()
      table.text('subject_template').notNullable()
      table.text('body_template').notNullable()
      // Created from the body when the version is saved: inlined styles, and the text part.
      table.text('inlined_body').notNullable()
      table.text('text_template').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['notification_template_id', 'locale'])
    })
  }

  override async down() {
    this.schema.dropTable('template_versions')
    this.schema.dropTable('notification_templates')
  }
}
