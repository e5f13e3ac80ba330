import { BaseSchema } from '@adonisjs/lucid/schema'

const TABLES = ['permissions', 'roles']

export default class extends BaseSchema {
  override async up() {
    for (const name of TABLES) {
      this.schema.alterTable(name, (table) => void table.string('name').nullable())
    }
  }

  override async down() {
    for (const name of TABLES) {
      this.schema.alterTable(name, (table) => void table.dropColumn('name'))
    }
  }
}
