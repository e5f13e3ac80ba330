import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('reconciliation_runs', (table) => {
      table.increments('id')
      table.string('trigger', 16).notNullable()
      // Null for all organisations.
      table.string('org_id', 200).nullable()
      table.boolean('dry_run').notNullable()
      table.string('status', 16).notNullable()
      table.integer('read').notNullable().defaultTo(0)
      // How many records changed, by the kind of the change.
      table.json('changes').notNullable()
      table.integer('unclear').notNullable().defaultTo(0)
      table.integer('unseen').notNullable().defaultTo(0)
      // The code of the problem that ended it.
      table.string('error', 64).nullable()
      table.timestamp('started_at', { useTz: true }).nullable()
      // Renewed while it runs.
      table.timestamp('seen_at', { useTz: true }).nullable()
      table.timestamp('ended_at', { useTz: true }).nullable()
      table.timestamp('created_at', { useTz: true }).notNullable().index()
    })
    // Of concurrent requests, one waits.
    this.schema.raw(
      `create unique index reconciliation_runs_queued_unique on reconciliation_runs (status)
       where status = 'queued'`
    )
  }

  override async down() {
    this.schema.dropTable('reconciliation_runs')
  }
}
