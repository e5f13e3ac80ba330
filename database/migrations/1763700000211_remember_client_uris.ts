import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    // Null for clients from before: which of their URIs this service wrote is not known.
    this.schema.alterTable('organisation_applications', (table) => {
      table.json('setup_uris').nullable()
      table.json('sync_uris').nullable()
    })
  }

  override async down() {
    this.schema.alterTable('organisation_applications', (table) => {
      table.dropColumn('setup_uris')
      table.dropColumn('sync_uris')
    })
  }
}
