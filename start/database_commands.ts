import type { BaseCommand } from '@adonisjs/core/ace'
import { getCommand as getOrmCommand, getMetaData } from '@adonisjs/lucid/commands'

/**
 * They change the schema, so that neither another one of them nor a starting service may come
 * between.
 */
const RUN_MIGRATIONS = new Set(['migration:run', 'migration:rollback'])
const RUN_THOSE = new Set(['migration:reset', 'migration:refresh', 'migration:fresh'])

/**
 * The commands of the ORM; those that change the schema wait for their turn as starting services
 * do.
 */
export { getMetaData }

export async function getCommand(metaData: Parameters<typeof getOrmCommand>[0]) {
  const command = await getOrmCommand(metaData)
  const runsMigrations = RUN_MIGRATIONS.has(metaData.commandName)
  if (!command || !(runsMigrations || RUN_THOSE.has(metaData.commandName))) return command

  return class extends (command as typeof BaseCommand) {
    /** The lock of the ORM's own, which gives up instead of waiting. */
    declare disableLocks?: boolean

    override async run() {
      const { withMigrationLock } = await import('#core/database/migration_lock')
      const { withoutTimeLimit } = await import('#core/database/patience')
      if (runsMigrations) this.disableLocks = true
      return withMigrationLock(() => withoutTimeLimit(() => super.run()))
    }
  }
}
