import db from '@adonisjs/lucid/services/db'

export const usesPostgres = () => db.connection().dialect.name === 'postgres'

/** A text column as `byBytes` orders it. SQLite orders all text so. */
export const inByteOrder = {
  postgres: (column: string) => `${column} collate "C"`,
  sqlite: (column: string) => column,
}
