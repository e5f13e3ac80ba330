import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('applications', (table) => {
      table.increments('id')
      table.string('code', 128).notNullable().unique()
      table.string('name').notNullable()
      table.text('description').nullable()
      table.json('supported_languages').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('application_brands', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.integer('brand_id').notNullable().references('brands.id').onDelete('CASCADE')
      table.unique(['application_id', 'brand_id'])
    })

    this.schema.createTable('entities', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('code', 128).notNullable()
      table.string('name').notNullable()
      table.text('description').nullable()
      table.string('id_label').nullable()
      table.string('list_endpoint', 2048).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['application_id', 'code'])
    })

    this.schema.createTable('instances', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('name').notNullable()
      table.string('base_url', 2048).notNullable()
      table.json('callback_urls').notNullable()
      table.json('post_logout_urls').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['application_id', 'name'])
    })

    this.schema.createTable('notification_types', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('code', 128).notNullable()
      table.string('name').notNullable()
      table.text('description').nullable()
      table.boolean('email_enabled').notNullable().defaultTo(true)
      table.boolean('push_enabled').notNullable().defaultTo(true)
      table.boolean('user_can_disable').notNullable().defaultTo(true)
      table.boolean('default_email').notNullable().defaultTo(true)
      table.boolean('default_push').notNullable().defaultTo(true)
      table.boolean('self_service_enabled').notNullable().defaultTo(true)
      table.boolean('system').notNullable().defaultTo(false)
      table.string('email_from_name').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['application_id', 'code'])
    })
  }

  override async down() {
    this.schema.dropTable('notification_types')
    this.schema.dropTable('instances')
    this.schema.dropTable('entities')
    this.schema.dropTable('application_brands')
    this.schema.dropTable('applications')
  }
}
