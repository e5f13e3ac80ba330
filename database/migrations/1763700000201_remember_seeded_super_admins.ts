import { BaseSchema } from '@adonisjs/lucid/schema'

/** Addresses of SUPER_ADMINS that have taken effect, so that removed super admins stay removed. */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('seeded_super_admins', (table) => {
      table.increments('id')
      table.string('email', 254).notNullable().unique()
      table.timestamp('created_at', { useTz: true }).notNullable()
    })
    this.schema.raw(
      'insert into seeded_super_admins (email, created_at) select email, created_at from super_admins order by id'
    )
  }

  override async down() {
    this.schema.dropTable('seeded_super_admins')
  }
}
