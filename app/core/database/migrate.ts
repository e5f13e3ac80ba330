import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { withoutTimeLimit } from '#core/database/statement_time_limit'

/** Runs all pending migrations. The caller must hold the migration lock. */
export async function migrate() {
  const runner = new MigrationRunner(db, app, { direction: 'up', disableLocks: true })
  await withoutTimeLimit(() => runner.run())
  if (runner.error) throw runner.error
}
