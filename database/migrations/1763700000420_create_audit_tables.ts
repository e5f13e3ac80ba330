import { BaseSchema } from '@adonisjs/lucid/schema'

const NEWEST_FIRST = {
  application: 'application_id',
  code: 'application',
  actor: 'actor_email',
  kind: 'actor_kind',
  action: 'action',
  user: 'email',
  target: 'target_kind, target_id',
}

export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('audit_entries', (table) => {
      table.increments('id')
      table.timestamp('at', { useTz: true }).notNullable()
      table.string('actor_kind', 16).notNullable()
      table.string('actor_email').nullable()
      table.string('actor_name').nullable()
      table.string('action', 64).notNullable()
      // No foreign key: entries outlive what they are about.
      table.integer('application_id').nullable()
      table.string('application').nullable()
      table.string('target_kind', 64).notNullable()
      table.string('target_id', 512).notNullable()
      table.string('target_label', 1_024).notNullable()
      table.string('email').nullable()
      table.string('request_id').nullable()
      table.string('address').nullable()
      table.text('reason').nullable()
      // Null until the entry has its place in the chain.
      table.integer('sequence').nullable().unique()
      table.string('hash', 64).nullable()
      // Personal data was removed, so that the hash no longer matches the content.
      table.boolean('redacted').notNullable().defaultTo(false)
      // JSON as text, so that it stays as it was written.
      table.text('state_before').nullable()
      table.text('state_after').nullable()
      table.index(['at'])
    })
    // An expression keeps PostgreSQL from reading the primary key backwards instead.
    for (const [name, columns] of Object.entries(NEWEST_FIRST)) {
      this.schema.raw(`create index audit_entries_${name} on audit_entries (${columns}, (-id))`)
    }
    this.schema.raw(
      'create index audit_entries_unsealed on audit_entries (id) where sequence is null'
    )
    this.schema.createTable('audit_chain', (table) => {
      table.increments('id')
      table.integer('sequence').notNullable()
      table.string('hash', 64).notNullable()
      // The last entry that retention removed, signed, so that the rest still verifies.
      table.integer('checkpoint_sequence').notNullable()
      table.string('checkpoint_hash', 64).notNullable()
      table.string('checkpoint_signature', 64).nullable()
    })
    this.defer(async (db) => {
      const start = '0'.repeat(64)
      await db.table('audit_chain').insert({
        id: 1,
        sequence: 0,
        hash: start,
        checkpoint_sequence: 0,
        checkpoint_hash: start,
      })
    })
  }

  override async down() {
    this.schema.dropTable('audit_chain')
    this.schema.dropTable('audit_entries')
  }
}
