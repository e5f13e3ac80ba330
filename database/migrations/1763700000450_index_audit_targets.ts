import { BaseSchema } from '@adonisjs/lucid/schema'

const TARGET = { target: 'target_kind, target_id' }
/** For each filter of its own. The id of a target says nearly as much as both. */
const SEPARATE = { target_kind: 'target_kind', target_id: 'target_id' }

export default class extends BaseSchema {
  override async up() {
    this.#replace(TARGET, SEPARATE)
  }

  override async down() {
    this.#replace(SEPARATE, TARGET)
  }

  #replace(former: Record<string, string>, wanted: Record<string, string>) {
    for (const name of Object.keys(former)) this.schema.raw(`drop index audit_entries_${name}`)
    for (const [name, columns] of Object.entries(wanted)) {
      this.schema.raw(`create index audit_entries_${name} on audit_entries (${columns}, (-id))`)
    }
  }
}
