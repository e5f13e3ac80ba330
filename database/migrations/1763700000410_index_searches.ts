import { BaseSchema } from '@adonisjs/lucid/schema'

/** For searches, which read ranges of addresses and resource ids in byte order. */
export default class extends BaseSchema {
  override async up() {
    const bytes = this.#inByteOrder
    // With the time window, a page is read from the index alone.
    this.#create(
      'user_roles_role_id_email_index',
      `user_roles (role_id, ${bytes('email')}, valid_from, valid_until)`
    )
    this.#create(
      'application_admins_application_id_email_index',
      `application_admins (application_id, ${bytes('email')})`
    )
    this.#create(
      'resource_overrides_resource_email_index',
      `resource_overrides (permission_id, resource_type, resource_id, granted, ${bytes('email')})`
    )
    // The longer indexes serve for these, too.
    this.schema.alterTable('user_roles', (table) => table.dropIndex(['role_id']))
    this.schema.alterTable('application_admins', (table) => table.dropIndex(['application_id']))
    this.schema.alterTable('resource_overrides', (table) => table.dropIndex(['permission_id']))
    // On SQLite, the unique index is in byte order.
    if (this.#isPostgres) {
      this.#create(
        'resources_entity_id_bytes_index',
        `resources (entity_id, ${bytes('resource_id')})`
      )
    }
  }

  override async down() {
    this.schema.alterTable('user_roles', (table) => table.index(['role_id']))
    this.schema.alterTable('application_admins', (table) => table.index(['application_id']))
    this.schema.alterTable('resource_overrides', (table) => table.index(['permission_id']))
    const names = [
      'user_roles_role_id_email_index',
      'application_admins_application_id_email_index',
      'resource_overrides_resource_email_index',
    ]
    if (this.#isPostgres) names.push('resources_entity_id_bytes_index')
    for (const name of names) this.schema.raw(`drop index ${name}`)
  }

  get #isPostgres() {
    return this.db.dialect.name === 'postgres'
  }

  #inByteOrder = (column: string) => (this.#isPostgres ? `${column} collate "C"` : column)

  #create(name: string, columns: string) {
    this.schema.raw(`create index ${name} on ${columns}`)
  }
}
