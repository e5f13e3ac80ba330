import { BaseSchema } from '@adonisjs/lucid/schema'

/** Permissions may be assigned before a user record exists (permissions.md#users-by-address). */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('permissions', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('code', 128).notNullable()
      table.text('description').nullable()
      table.string('type', 8).notNullable()
      table.string('group_name').nullable()
      table
        .integer('parent_permission_id')
        .nullable()
        .references('permissions.id')
        .onDelete('SET NULL')
      table.boolean('global').notNullable().defaultTo(false)
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['application_id', 'code'])
    })

    this.schema.createTable('roles', (table) => {
      table.increments('id')
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
      table.string('code', 128).notNullable()
      table.text('description').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['application_id', 'code'])
    })

    this.schema.createTable('role_permissions', (table) => {
      table.increments('id')
      table.integer('role_id').notNullable().references('roles.id').onDelete('CASCADE')
      table
        .integer('permission_id')
        .notNullable()
        .references('permissions.id')
        .onDelete('CASCADE')
        .index()
      table.string('access_level', 8).notNullable()
      table.unique(['role_id', 'permission_id'])
    })

    this.schema.createTable('user_roles', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.integer('role_id').notNullable().references('roles.id').onDelete('CASCADE').index()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.unique(['email', 'role_id'])
    })

    this.schema.createTable('resource_overrides', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table.string('resource_type', 128).notNullable()
      table.string('resource_id').notNullable()
      table
        .integer('permission_id')
        .notNullable()
        .references('permissions.id')
        .onDelete('CASCADE')
        .index()
      table.boolean('granted').notNullable()
      table.string('access_level', 8).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.unique(['email', 'resource_type', 'resource_id', 'permission_id'])
    })

    this.schema.createTable('super_admins', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable().unique()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('application_admins', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable()
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
        .index()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.unique(['email', 'application_id'])
    })
  }

  override async down() {
    this.schema.dropTable('application_admins')
    this.schema.dropTable('super_admins')
    this.schema.dropTable('resource_overrides')
    this.schema.dropTable('user_roles')
    this.schema.dropTable('role_permissions')
    this.schema.dropTable('roles')
    this.schema.dropTable('permissions')
  }
}
