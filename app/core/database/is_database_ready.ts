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

export interface Migrations {
  applied: number
  /** The name of the last migration that has run */
  latest: string | null
  /** The names of migrations that have not run */
  pending: string[]
}

export async function readMigrations(): Promise<Migrations> {
  const done = await listDone()
  const names = (await (migrationNames ??= listMigrations())).map(baseName)
  const applied = done.map(baseName)
  return {
    applied: applied.length,
    latest: applied.at(-1) ?? null,
    pending: names.filter((name) => !applied.includes(name)),
  }
}

const baseName = (name: string) => name.split('/').at(-1)!

async function listDone(): Promise<string[]> {
  const rows = await db.from('adonis_schema').orderBy('id').select('name')
  return rows.map(({ name }) => String(name))
}

let pendingCheck: Promise<boolean> | undefined

/** Whether all migrations have been run. */
export function isDatabaseReady(): Promise<boolean> {
  return (pendingCheck ??= checkMigrations().finally(() => (pendingCheck = undefined)))
}

async function checkMigrations() {
  try {
    migrationNames ??= listMigrations()
    const [names, done] = await Promise.all([migrationNames, listDone()])
    return names.every((name) => done.includes(name))
  } catch {
    return false
  }
}
