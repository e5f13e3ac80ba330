import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('users', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable().unique()
      table.boolean('active').notNullable().defaultTo(true)
      table.string('idp_user_id').nullable().index()
      table.string('idp_org_id').nullable()
      table.string('first_name').nullable()
      table.string('last_name').nullable()
      table.string('display_name').nullable()
      table.timestamp('names_changed_at', { useTz: true }).nullable()
      table.string('avatar_url', 2048).nullable()
      table.string('locale', 35).nullable()
      table.string('theme', 16).notNullable().defaultTo('system')
      table.string('timezone', 64).nullable()
      table.integer('brand_id').nullable().references('brands.id').onDelete('SET NULL')
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('application_preferences', (table) => {
      table.increments('id')
      table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.boolean('show_help').notNullable().defaultTo(true)
      table.boolean('notifications_enabled').notNullable().defaultTo(true)
      table.timestamp('first_login_at', { useTz: true }).nullable()
      table.timestamp('last_login_at', { useTz: true }).nullable()
      table.integer('login_count').notNullable().defaultTo(0)
      table.timestamp('last_activity_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['user_id', 'application_id'])
      table.index(['application_id', 'user_id'])
    })

    // The audit trail outlives the application and the user, hence no foreign keys.
    this.schema.createTable('login_records', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('app_code', 128).notNullable()
      table.string('event', 16).notNullable()
      table.string('source', 16).notNullable()
      table.timestamp('occurred_at', { useTz: true }).notNullable()
      table.index(['email', 'id'])
      table.index(['app_code', 'id'])
    })
  }

  override async down() {
    this.schema.dropTable('login_records')
    this.schema.dropTable('application_preferences')
    this.schema.dropTable('users')
  }
}
