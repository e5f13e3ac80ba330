import { isDatabaseUnavailable } from '#core/database/errors'
import { migrate } from '#core/database/migrate'
import { withMigrationLock } from '#core/database/migration_lock'
import { withBackgroundTimeLimit } from '#core/database/statement_time_limit'
import { isDatabaseReady } from '#core/database/is_database_ready'
import env from '#start/env'
import { seedRequiredData } from '#database/seeders/required_data_seeder'

const NOT_MIGRATED =
  'The database is not migrated and MIGRATE_ON_START is false. Run "node bin/console.js migration:run --force" in build/'

export const prepareDatabase = () => withMigrationLock(() => withBackgroundTimeLimit(prepare))

async function prepare() {
  const migrates = env.get('MIGRATE_ON_START') !== false
  if (migrates) await migrate()
  try {
    await seedRequiredData()
  } catch (error) {
    if (migrates || isDatabaseUnavailable(error) || (await isDatabaseReady())) throw error
    throw new Error(NOT_MIGRATED, { cause: error })
  }
}
