import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    // Null for existing clients: it is unknown which of their URIs this service wrote.
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
