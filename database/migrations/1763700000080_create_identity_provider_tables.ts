import { BaseSchema } from '@adonisjs/lucid/schema'

/** Ids of the identity provider are text, because they exceed safe integers. */
export default class extends BaseSchema {
  override async up() {
    // At most one row, with the id 1: the provider has one active e-mail provider.
    this.schema.createTable('notification_providers', (table) => {
      table.integer('id').primary()
      table.string('provider_id').nullable()
      table.text('endpoint').nullable()
      table.timestamp('last_hook_call_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('provider_signing_keys', (table) => {
      table.increments('id')
      // Encrypted with IDP_ENCRYPTION_KEY.
      table.text('signing_key').notNullable()
      // Null for the current key, else the end of its grace period.
      table.timestamp('accepted_until', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })

    // Prevents two processes from creating the same thing at the identity provider.
    this.schema.createTable('provider_leases', (table) => {
      table.string('name').primary()
      table.string('holder', 36).notNullable()
      table.timestamp('held_until', { useTz: true }).notNullable()
    })

    // Organisations that were requested and are not known to be complete.
    this.schema.createTable('pending_organisations', (table) => {
      table.increments('id')
      table.string('name').notNullable().unique()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })

    // The application of an organisation's people, with its OIDC client there.
    this.schema.createTable('organisation_applications', (table) => {
      table.increments('id')
      table.string('organisation_id').notNullable()
      table
        .integer('application_id')
        .notNullable()
        .references('applications.id')
        .onDelete('CASCADE')
        .index()
      table.string('project_name').notNullable()
      table.string('project_id').notNullable()
      table.string('client_name').notNullable()
      table.string('client_app_id').notNullable()
      table.string('client_id').notNullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
      table.unique(['organisation_id', 'project_name', 'client_name'])
    })
  }

  override async down() {
    this.schema.dropTable('organisation_applications')
    this.schema.dropTable('pending_organisations')
    this.schema.dropTable('provider_leases')
    this.schema.dropTable('provider_signing_keys')
    this.schema.dropTable('notification_providers')
  }
}
