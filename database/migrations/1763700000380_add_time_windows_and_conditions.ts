import { BaseSchema } from '@adonisjs/lucid/schema'

const WINDOWED = ['user_roles', 'resource_overrides', 'application_admins', 'super_admins']
const CONDITIONAL = ['role_permissions', 'resource_overrides']

/** Most rows have neither a time window nor a condition, so the indexes leave them out. */
export default class extends BaseSchema {
  override async up() {
    for (const name of WINDOWED) {
      this.schema.alterTable(name, (table) => {
        table.timestamp('valid_from', { useTz: true }).nullable()
        table.timestamp('valid_until', { useTz: true }).nullable()
      })
      this.schema.raw(
        `create index ${name}_windows_index on ${name} (email)
         where valid_from is not null or valid_until is not null`
      )
      this.schema.raw(
        `create index ${name}_end_index on ${name} (valid_until) where valid_until is not null`
      )
    }
    for (const name of CONDITIONAL) {
      this.schema.alterTable(name, (table) => {
        table.text('condition').nullable()
      })
      this.schema.raw(
        `create index ${name}_conditions_index on ${name} (permission_id)
         where condition is not null`
      )
    }
  }

  override async down() {
    for (const name of CONDITIONAL) {
      this.schema.raw(`drop index ${name}_conditions_index`)
      this.schema.alterTable(name, (table) => {
        table.dropColumn('condition')
      })
    }
    for (const name of WINDOWED) {
      this.schema.raw(`drop index ${name}_windows_index`)
      this.schema.raw(`drop index ${name}_end_index`)
      this.schema.alterTable(name, (table) => {
        table.dropColumn('valid_from')
        table.dropColumn('valid_until')
      })
    }
  }
}
