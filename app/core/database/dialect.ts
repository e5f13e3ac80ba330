import db from '@adonisjs/lucid/services/db'

export const usesPostgres = () => db.connection().dialect.name === 'postgres'
