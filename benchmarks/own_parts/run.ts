import 'reflect-metadata'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ignitor } from '@adonisjs/core'
import { APP_ROOT, importFromRoot } from '#core/process/root'
import { startPostgres } from '#tests/world/postgres'
import { settings } from './settings.ts'

/**
 * Measures what our own parts cost beside those of the libraries that they replace; with
 * `--postgres`, on PostgreSQL. Writes to stderr, because one of them logs to stdout.
 */
const postgres = process.argv.includes('--postgres') ? await startPostgres() : undefined
Object.assign(process.env, {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  ACCESS_LOG: 'true',
  SQLITE_PATH: join(mkdtempSync(join(tmpdir(), 'concierge-parts-')), 'parts.sqlite3'),
  ...(postgres && { DB_CONNECTION: 'pg', DATABASE_URL: postgres.url }),
  ...settings,
})
const app = new Ignitor(APP_ROOT, { importer: importFromRoot })
  .tap((ignited) =>
    ignited.booting(async () => {
      await import('#start/env')
    })
  )
  .createApp('web')
await app.init()
await app.boot()

const { pairs } = await import('./pairs.ts')
const { compare } = await import('./compare.ts')
const rows = []
for (const pair of await pairs()) rows.push(await compare(pair))
const columns = '| Part | ours, µs | library, µs | saved, µs |\n|---|---:|---:|---:|'
const table = rows.map(
  ({ part, ours, library }) =>
    `| ${part} | ${ours.toFixed(2)} | ${library.toFixed(2)} | ${(library - ours).toFixed(2)} |`
)
process.stderr.write(`${[columns, ...table].join('\n')}\n`)
await postgres?.stop()
process.exit(0)
