import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('brands', (table) => {
      table.string('email_from', 254).nullable()
      table.string('email_from_name').nullable()
      table.string('reply_to', 254).nullable()
      // Account and key of the brand's mail. Passwords and private keys in them are encrypted.
      table.json('smtp').nullable()
      table.json('dkim').nullable()
      table.json('appearance').nullable()
    })

    this.schema.createTable('user_pools', (table) => {
      table.increments('id')
      table.string('slug', 128).notNullable().unique()
      table.string('name').notNullable()
      table.integer('brand_id').nullable().references('brands.id').onDelete('SET NULL')
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.timestamp('updated_at', { useTz: true }).notNullable()
    })

    this.schema.createTable('user_pool_organisations', (table) => {
      table.increments('id')
      table.integer('user_pool_id').notNullable().references('user_pools.id').onDelete('CASCADE')
      table.string('organisation_id').notNullable().unique()
    })
  }

  override async down() {
    this.schema.dropTable('user_pool_organisations')
    this.schema.dropTable('user_pools')
    this.schema.alterTable('brands', (table) => {
      table.dropColumns('email_from', 'email_from_name', 'reply_to', 'smtp', 'dkim', 'appearance')
    })
  }
}
