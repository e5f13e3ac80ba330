import { BaseSchema } from '@adonisjs/lucid/schema'

const FOREIGN_KEYS = {
  notification_preferences: 'notification_type_id',
  permissions: 'parent_permission_id',
  application_brands: 'brand_id',
  users: 'brand_id',
  user_pools: 'brand_id',
  user_pool_organisations: 'user_pool_id',
}

/** Without them, deleting a row reads whole tables to find what refers to it. */
export default class extends BaseSchema {
  override async up() {
    for (const [name, column] of Object.entries(FOREIGN_KEYS)) {
      this.schema.alterTable(name, (table) => table.index([column]))
    }
  }

  override async down() {
    for (const [name, column] of Object.entries(FOREIGN_KEYS)) {
      this.schema.alterTable(name, (table) => table.dropIndex([column]))
    }
  }
}
