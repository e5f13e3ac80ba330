import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('notification_types', (table) => {
      // Null if its mails are never part of a digest.
      table.json('digest').nullable()
    })
    this.schema.alterTable('notification_preferences', (table) => {
      // Null until the user has chosen.
      table.string('digest', 8).nullable()
    })
    this.schema.alterTable('notifications', (table) => {
      // The digest that the mail was part of. No foreign key: its entry may be deleted first.
      table.integer('digest_id').nullable()
      // Of how many notifications it is the digest. Null for others.
      table.integer('digest_size').nullable()
    })
    this.schema.raw(
      'create index notifications_digest_index on notifications (digest_id) where digest_id is not null'
    )
    this.schema.alterTable('pending_sends', (table) => {
      // Whether other log entries share its outcome.
      table.boolean('digest').notNullable().defaultTo(false)
    })

    this.schema.createTable('digests', (table) => {
      table.increments('id')
      // No foreign keys: the outcome of what waits must still be recorded.
      table.integer('user_id').notNullable()
      table.integer('application_id').notNullable()
      table.integer('notification_type_id').notNullable()
      table.timestamp('due_at', { useTz: true }).notNullable().index()
      // Quiet hours do not postpone it further. Null if they have not postponed it.
      table.timestamp('wait_until', { useTz: true }).nullable()
      table.string('claim', 36).notNullable().defaultTo('')
      table.integer('claims').notNullable().defaultTo(0)
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.unique(['user_id', 'notification_type_id'])
    })

    this.schema.createTable('digest_items', (table) => {
      table.integer('notification_id').primary().references('notifications.id').onDelete('CASCADE')
      table.integer('digest_id').notNullable().references('digests.id').onDelete('CASCADE')
      // Encrypted.
      table.text('content').notNullable()
      table.index(['digest_id', 'notification_id'])
    })
  }

  override async down() {
    this.schema.dropTable('digest_items')
    this.schema.dropTable('digests')
    this.schema.alterTable('pending_sends', (table) => table.dropColumn('digest'))
    this.schema.raw('drop index notifications_digest_index')
    this.schema.alterTable('notifications', (table) =>
      table.dropColumns('digest_id', 'digest_size')
    )
    this.schema.alterTable('notification_preferences', (table) => table.dropColumn('digest'))
    this.schema.alterTable('notification_types', (table) => table.dropColumn('digest'))
  }
}
