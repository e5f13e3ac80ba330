import { BaseSchema } from '@adonisjs/lucid/schema'

/** For access reviews, which list users in byte order, and who gave them each right. */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw(
      `create index audit_entries_giving on audit_entries (email, action, at)
       where action in ('user.roles_replaced', 'user.overrides_replaced',
         'application_admin.added', 'super_admin.added')`
    )
    // On SQLite, the unique index is in byte order.
    if (this.#isPostgres) {
      this.schema.raw(
        `create index resource_overrides_email_bytes_index
         on resource_overrides (email collate "C", permission_id)`
      )
    }
  }

  override async down() {
    this.schema.raw('drop index audit_entries_giving')
    if (this.#isPostgres) this.schema.raw('drop index resource_overrides_email_bytes_index')
  }

  get #isPostgres() {
    return this.db.dialect.name === 'postgres'
  }
}
