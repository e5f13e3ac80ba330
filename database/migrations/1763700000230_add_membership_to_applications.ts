import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('applications', (table) => {
      table.string('membership', 8).notNullable().defaultTo('open')
      table.boolean('outside_recipients').notNullable().defaultTo(false)
    })
    this.schema.alterTable('broadcasts', (table) => {
      table.boolean('outside_recipients').notNullable().defaultTo(false)
    })
    // The permission at creation counts, and until now everyone had it.
    this.schema.raw('update broadcasts set outside_recipients = true')
  }

  override async down() {
    this.schema.alterTable('broadcasts', (table) => table.dropColumn('outside_recipients'))
    this.schema.alterTable('applications', (table) => {
      table.dropColumns('membership', 'outside_recipients')
    })
  }
}
