import { BaseSchema } from '@adonisjs/lucid/schema'

const TEXTS = 'notification_template_id, locale, revision, subject_template, body_template'

export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('template_versions', (table) => {
      table.integer('revision').notNullable().defaultTo(1)
    })
    this.schema.createTable('template_revisions', (table) => {
      table.increments('id')
      // With the language instead of the version, so that a deleted version can be restored.
      table
        .integer('notification_template_id')
        .notNullable()
        .references('notification_templates.id')
        .onDelete('CASCADE')
      table.string('locale', 35).notNullable()
      table.integer('revision').notNullable()
      table.text('subject_template').notNullable()
      table.text('body_template').notNullable()
      // The one whose texts it has, if it was restored.
      table.integer('restored_from').nullable()
      // Null for what was saved before revisions were kept.
      table.string('actor_kind', 16).nullable()
      table.string('actor_email').nullable()
      table.string('actor_name').nullable()
      table.timestamp('created_at', { useTz: true }).notNullable()
      table.unique(['notification_template_id', 'locale', 'revision'])
      table.index(['actor_email'])
    })
    this.defer(async (db) => {
      await db.rawQuery(
        `insert into template_revisions (${TEXTS}, created_at)
         select ${TEXTS}, updated_at from template_versions order by id`
      )
    })
  }

  override async down() {
    this.schema.dropTable('template_revisions')
    this.schema.alterTable('template_versions', (table) => table.dropColumn('revision'))
  }
}
