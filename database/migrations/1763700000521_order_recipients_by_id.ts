import { BaseSchema } from '@adonisjs/lucid/schema'

/** Recipients are listed by id. */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw('drop index broadcast_recipients_status_index')
    this.schema.raw(
      `create index broadcast_recipients_status_index
       on broadcast_recipients (broadcast_id, (coalesce(status, 'waiting')), id)`
    )
    this.schema.raw(
      'create index broadcast_recipients_list_index on broadcast_recipients (broadcast_id, id)'
    )
  }

  override async down() {
    this.schema.raw('drop index broadcast_recipients_list_index')
    this.schema.raw('drop index broadcast_recipients_status_index')
    this.schema.raw(
      `create index broadcast_recipients_status_index
       on broadcast_recipients (broadcast_id, (coalesce(status, 'waiting')), email)`
    )
  }
}
