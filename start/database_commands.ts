import type { BaseCommand } from '@adonisjs/core/ace'
import { getCommand as getOrmCommand, getMetaData } from '@adonisjs/lucid/commands'

/**
 * Commands that change the schema, during which no other one and no starting service may run.
 */
const RUN_MIGRATIONS = new Set(['migration:run', 'migration:rollback'])
const RUN_THOSE = new Set(['migration:reset', 'migration:refresh', 'migration:fresh'])

/**
 * The commands of the ORM. Those that change the schema take the same lock as starting services.
 */
export { getMetaData }

export async function getCommand(metaData: Parameters<typeof getOrmCommand>[0]) {
  const command = await getOrmCommand(metaData)
  const runsMigrations = RUN_MIGRATIONS.has(metaData.commandName)
  if (!command || !(runsMigrations || RUN_THOSE.has(metaData.commandName))) return command

  return class extends (command as typeof BaseCommand) {
    /** The ORM's own lock, which fails instead of waiting. */
    declare disableLocks?: boolean

    override async run() {
      const { withMigrationLock } = await import('#core/database/migration_lock')
      const { withoutTimeLimit } = await import('#core/database/statement_time_limit')
      if (runsMigrations) this.disableLocks = true
      return withMigrationLock(() => withoutTimeLimit(() => super.run()))
    }
  }
}
