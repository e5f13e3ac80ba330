import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Indexes for the retention sweeps, so that finding the oldest rows costs the same for any number
 * of rows.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('login_records', (table) => {
      table.index(['occurred_at'])
      // Before each new login record, those of the same person, application and day are counted.
      table.index(['email', 'app_code', 'occurred_at'])
    })
    this.schema.alterTable('notifications', (table) => table.index(['created_at']))
    // Without it, deleting a notification reads all mails that may refer to it.
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
