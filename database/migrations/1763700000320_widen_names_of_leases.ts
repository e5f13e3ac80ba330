import { BaseSchema } from '@adonisjs/lucid/schema'

/** A lease is named after what it is for and an address or id, which can have 255 characters. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('provider_leases', (table) => {
      table.text('name').notNullable().alter({ alterNullable: false })
    })
  }

  override async down() {
    this.schema.raw('delete from provider_leases')
    this.schema.alterTable('provider_leases', (table) => {
      table.string('name').notNullable().alter({ alterNullable: false })
    })
  }
}
