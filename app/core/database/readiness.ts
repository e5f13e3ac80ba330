import { readdir } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'

let needed: Promise<string[]> | undefined

async function listMigrations() {
  const files = await readdir(app.migrationsPath())
  return files
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `database/migrations/${file.replace(/\.[jt]s$/, '')}`)
}

let asking: Promise<boolean> | undefined

/** Whether all migrations have been run. */
export function isDatabaseReady(): Promise<boolean> {
  return (asking ??= askDatabase().finally(() => (asking = undefined)))
}

async function askDatabase() {
  try {
    needed ??= listMigrations()
    const [names, rows] = await Promise.all([needed, db.from('adonis_schema').select('name')])
    const done = new Set(rows.map(({ name }) => String(name)))
    return names.every((name) => done.has(name))
  } catch {
    return false
  }
}
