import type { BaseCommand } from '@adonisjs/core/ace'
import { getCommand as getOrmCommand, getMetaData } from '@adonisjs/lucid/commands'

const MIGRATION_COMMANDS = new Set(['migration:run', 'migration:rollback'])
const COMPOSITE_COMMANDS = new Set(['migration:reset', 'migration:refresh', 'migration:fresh'])

/** Lucid's commands. Those that change the schema take the migration lock. */
export { getMetaData }

export async function getCommand(metaData: Parameters<typeof getOrmCommand>[0]) {
  const command = await getOrmCommand(metaData)
  const runsMigrations = MIGRATION_COMMANDS.has(metaData.commandName)
  if (!command || !(runsMigrations || COMPOSITE_COMMANDS.has(metaData.commandName))) return command

  return class extends (command as typeof BaseCommand) {
    /** Lucid's own lock fails instead of waiting. */
    declare disableLocks?: boolean

    override async run() {
      const { withMigrationLock } = await import('#core/database/migration_lock')
      const { withoutTimeLimit } = await import('#core/database/statement_time_limit')
      if (runsMigrations) this.disableLocks = true
      return withMigrationLock(() => withoutTimeLimit(() => super.run()))
    }
  }
}
