import { BaseSchema } from '@adonisjs/lucid/schema'

/** When an item appeared. Those of the previous version, and most others, appear when created. */
const SHOWN = 'coalesce(shown_at, created_at)'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('notifications', (table) => {
      // Null if the item appeared when it was created, or has not appeared yet.
      table.timestamp('shown_at', { useTz: true }).nullable()
      table.timestamp('archived_at', { useTz: true }).nullable()
      table.timestamp('snoozed_until', { useTz: true }).nullable()
      table.text('body_text').nullable()
      table.text('body_html').nullable()
    })
    this.schema.raw('drop index notifications_inbox_index')
    this.schema.raw('drop index notifications_unread_index')
    const createIndex = (name: string, columns: string, condition: string) =>
      this.schema.raw(
        `create index notifications_${name}_index on notifications (${columns}) where ${condition}`
      )
    const newest = `email, ${SHOWN}, id`
    createIndex('inbox', newest, 'in_inbox = true and archived_at is null')
    createIndex('unread', newest, 'in_inbox = true and archived_at is null and read_at is null')
    createIndex('archive', newest, 'in_inbox = true and archived_at is not null')
    createIndex('snoozed', newest, 'snoozed_until is not null')
    createIndex('waking', 'snoozed_until', 'snoozed_until is not null')
  }

  override async down() {
    for (const name of ['inbox', 'unread', 'archive', 'snoozed', 'waking']) {
      this.schema.raw(`drop index notifications_${name}_index`)
    }
    this.schema.raw(
      'create index notifications_inbox_index on notifications (email, (id + 0)) where in_inbox = true'
    )
    this.schema.raw(
      'create index notifications_unread_index on notifications (email, (id + 0)) where in_inbox = true and read_at is null'
    )
    this.schema.alterTable('notifications', (table) => {
      table.dropColumns('shown_at', 'archived_at', 'snoozed_until', 'body_text', 'body_html')
    })
  }
}
