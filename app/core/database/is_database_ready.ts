import { readdir } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'

let migrationNames: Promise<string[]> | undefined

async function listMigrations() {
  const files = await readdir(app.migrationsPath())
  return files
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `database/migrations/${file.replace(/\.[jt]s$/, '')}`)
}

let pendingCheck: Promise<boolean> | undefined

/** Whether all migrations have been run. */
export function isDatabaseReady(): Promise<boolean> {
  return (pendingCheck ??= checkMigrations().finally(() => (pendingCheck = undefined)))
}

async function checkMigrations() {
  try {
    migrationNames ??= listMigrations()
    const [names, rows] = await Promise.all([
      migrationNames,
      db.from('adonis_schema').select('name'),
    ])
    const done = new Set(rows.map(({ name }) => String(name)))
    return names.every((name) => done.has(name))
  } catch {
    return false
  }
}
