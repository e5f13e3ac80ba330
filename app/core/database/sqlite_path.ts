import db from '@adonisjs/lucid/services/db'

export function sqlitePath(): string {
  const config = db.getRawConnection(db.primaryConnectionName)?.config
  return (config?.connection as { filename: string }).filename
}
