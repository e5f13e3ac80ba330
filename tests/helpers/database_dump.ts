import db from '@adonisjs/lucid/services/db'

/** All rows, as JSON. */
export async function dumpDatabase() {
  const tables = await db.connection().getAllTables(['public'])
  const rows = await Promise.all(
    tables.map((table) => db.from(table.replace(/^public\./, '')).select('*'))
  )
  return JSON.stringify(rows)
}
