import { BaseSchema } from '@adonisjs/lucid/schema'

/** For the retention sweeps. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('login_records', (table) => {
      table.index(['occurred_at'])
      // Before each insert, login records of the same person, application and day are counted.
      table.index(['email', 'app_code', 'occurred_at'])
    })
    this.schema.alterTable('notifications', (table) => table.index(['created_at']))
    // Deleting a notification must find the mails that refer to it.
    this.schema.alterTable('provider_mails', (table) => table.index(['notification_id']))
    this.schema.alterTable('broadcasts', (table) => {
      table.boolean('recipients_kept').notNullable().defaultTo(true)
    })
    this.schema.raw(
      'create index broadcasts_kept_index on broadcasts (finished_at) where recipients_kept = true'
    )
  }

  override async down() {
    this.schema.raw('drop index broadcasts_kept_index')
    this.schema.alterTable('broadcasts', (table) => table.dropColumn('recipients_kept'))
    this.schema.alterTable('provider_mails', (table) => table.dropIndex(['notification_id']))
    this.schema.alterTable('notifications', (table) => table.dropIndex(['created_at']))
    this.schema.alterTable('login_records', (table) => {
      table.dropIndex(['email', 'app_code', 'occurred_at'])
      table.dropIndex(['occurred_at'])
    })
  }
}
