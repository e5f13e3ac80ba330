import { BaseSchema } from '@adonisjs/lucid/schema'

const COLUMNS = {
  application: 'application_id',
  code: 'application',
  actor: 'actor_email',
  kind: 'actor_kind',
  action: 'action',
  user: 'email',
  target_kind: 'target_kind',
  target_id: 'target_id',
}
const SEALED = 'where sequence is not null'

/**
 * Lists are in the order of time, so one index serves a filter with and without a period. Entries
 * without a place in the chain are in no index of places.
 */
export default class extends BaseSchema {
  override async up() {
    this.#replace('at, id', (column) => `${column}, ${this.#time}, id`)
    this.schema.alterTable('audit_entries', (table) => void table.dropUnique(['sequence']))
    this.schema.raw(
      `create unique index audit_entries_sequence on audit_entries (sequence) ${SEALED}`
    )
  }

  override async down() {
    this.schema.raw('drop index audit_entries_sequence')
    this.schema.alterTable('audit_entries', (table) => void table.unique(['sequence']))
    this.#replace('at', (column) => `${column}, (-id)`)
  }

  /** With an expression, PostgreSQL does not read the index of all entries instead. */
  get #time() {
    return this.#isPostgres ? `(at at time zone 'UTC')` : 'at'
  }

  get #isPostgres() {
    return this.db.dialect.name === 'postgres'
  }

  #replace(all: string, of: (column: string) => string) {
    this.#index('audit_entries_at_index', all)
    for (const [name, column] of Object.entries(COLUMNS)) {
      this.#index(`audit_entries_${name}`, of(column))
    }
  }

  #index(name: string, columns: string) {
    this.schema.raw(`drop index ${name}`)
    this.schema.raw(`create index ${name} on audit_entries (${columns}) ${SEALED}`)
  }
}
