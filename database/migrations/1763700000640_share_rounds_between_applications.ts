import { BaseSchema } from '@adonisjs/lucid/schema'

/** Finds the oldest due sends of each application, however many one has. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('pending_sends', (table) => {
      // 0 if the application was deleted. No foreign key: the outcome must still be recorded.
      table.integer('application_id').notNullable().defaultTo(0)
    })
    this.schema.raw(
      `update pending_sends set application_id = coalesce((
         select applications.id from notifications
         join applications on applications.code = notifications.app_code
         where notifications.id = pending_sends.notification_id
       ), 0)`
    )
    this.schema.raw(
      'create index pending_sends_due_by_application on pending_sends (application_id, due_at, account) where prepared = true'
    )
  }

  override async down() {
    this.schema.raw('drop index pending_sends_due_by_application')
    this.schema.alterTable('pending_sends', (table) => table.dropColumn('application_id'))
  }
}
