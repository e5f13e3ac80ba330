import { BaseSchema } from '@adonisjs/lucid/schema'

/** Their recipients may still wait for another try. */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw(
      `create index broadcasts_stopped_index on broadcasts (id)
       where recipients_kept = true and status in ('cancelled', 'failed')`
    )
  }

  override async down() {
    this.schema.raw('drop index broadcasts_stopped_index')
  }
}
