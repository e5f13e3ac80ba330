import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('push_subscriptions', (table) => {
      // The account that subscribed. Null if the record had none yet.
      table.string('idp_user_id').nullable()
    })
    this.schema.raw(
      `update push_subscriptions set idp_user_id =
         (select idp_user_id from users where users.id = push_subscriptions.user_id)`
    )
  }

  override async down() {
    this.schema.alterTable('push_subscriptions', (table) => table.dropColumn('idp_user_id'))
  }
}
