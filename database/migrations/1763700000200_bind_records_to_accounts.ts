import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('users', (table) => {
      // An account is an issuer and its user id. Existing records get the issuer at their next
      // contact.
      table.string('idp_issuer', 2048).nullable()
      // Position of the latest event that set whether the person is active.
      table.text('status_event_at').nullable()
      // The released record stays inactive for the next account until it is reactivated.
      table.boolean('awaits_reactivation').notNullable().defaultTo(false)
    })
  }

  override async down() {
    this.schema.alterTable('users', (table) => {
      table.dropColumn('awaits_reactivation')
      table.dropColumn('status_event_at')
      table.dropColumn('idp_issuer')
    })
  }
}
