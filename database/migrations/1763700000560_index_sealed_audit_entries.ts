import { BaseSchema } from '@adonisjs/lucid/schema'

const INDEXES = {
  at: 'at',
  application: 'application_id, (-id)',
  code: 'application, (-id)',
  actor: 'actor_email, (-id)',
  kind: 'actor_kind, (-id)',
  action: 'action, (-id)',
  user: 'email, (-id)',
  target_kind: 'target_kind, (-id)',
  target_id: 'target_id, (-id)',
}
const NAMES: Record<string, string> = { at: 'audit_entries_at_index' }

/** Sealing adds many entries to an index at once, which costs less than with each change. */
export default class extends BaseSchema {
  override async up() {
    this.#replace('where sequence is not null')
  }

  override async down() {
    this.#replace('')
  }

  #replace(condition: string) {
    for (const [key, columns] of Object.entries(INDEXES)) {
      const name = NAMES[key] ?? `audit_entries_${key}`
      this.schema.raw(`drop index ${name}`)
      this.schema.raw(`create index ${name} on audit_entries (${columns}) ${condition}`)
    }
  }
}
