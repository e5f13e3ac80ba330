import { BaseSchema } from '@adonisjs/lucid/schema'

/** One recipient whose mailbox is slow or refuses mails must not delay those of others. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('pending_sends', (table) => {
      // 0 if the user was erased. No foreign key: the outcome must still be recorded.
      table.integer('recipient_id').notNullable().defaultTo(0)
    })
    this.schema.raw(
      `update pending_sends set recipient_id = coalesce((
         select users.id from notifications
         join users on users.email = notifications.email
         where notifications.id = pending_sends.notification_id
       ), 0)`
    )
    this.schema.raw('drop index pending_sends_due_by_application')
    this.schema.raw(
      'create index pending_sends_due_by_application on pending_sends (application_id, due_at, account, recipient_id) where prepared = true'
    )
  }

  override async down() {
    this.schema.raw('drop index pending_sends_due_by_application')
    this.schema.alterTable('pending_sends', (table) => table.dropColumn('recipient_id'))
    this.schema.raw(
      'create index pending_sends_due_by_application on pending_sends (application_id, due_at, account) where prepared = true'
    )
  }
}
