import db from '@adonisjs/lucid/services/db'

/** The database file that the pool has open. */
export function sqlitePath(): string {
  const config = db.getRawConnection(db.primaryConnectionName)?.config
  return (config?.connection as { filename: string }).filename
}
