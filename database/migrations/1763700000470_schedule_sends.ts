import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    // SQLite does not limit the length.
    if (this.db.dialect.name === 'postgres') {
      this.schema.raw('alter table notifications alter column status type varchar(16)')
    }
    this.schema.alterTable('notifications', (table) => {
      // When it was, or will be, delivered, if that was not at once.
      table.timestamp('scheduled_for', { useTz: true }).nullable()
    })
    this.schema.alterTable('pending_sends', (table) => {
      // False while the content is a request, which is prepared when it falls due.
      table.boolean('prepared').notNullable().defaultTo(true)
      // The retry period that begins with the first round. Null once it has begun.
      table.integer('retry_hours').nullable()
      // Quiet hours do not postpone it further. Null if they have not postponed it.
      table.timestamp('wait_until', { useTz: true }).nullable()
    })
    this.schema.raw(
      'create index pending_sends_requests_index on pending_sends (due_at) where prepared = false'
    )
  }

  override async down() {
    this.schema.raw('drop index pending_sends_requests_index')
    this.schema.alterTable('pending_sends', (table) => {
      table.dropColumns('prepared', 'retry_hours', 'wait_until')
    })
    this.schema.alterTable('notifications', (table) => table.dropColumn('scheduled_for'))
  }
}
