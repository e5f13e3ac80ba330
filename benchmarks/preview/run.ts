import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { startPostgres } from '#tests/world/postgres'
import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf } from '../world/process_cpu.ts'
import type { ForkedServer } from '../world/processes.ts'
import { startConcierge } from '../world/concierge.ts'
import {
  APPLICATION,
  EVERYONE,
  OWN_ROLES,
  PERMISSION_IDS,
  fillPostgres,
  fillSqlite,
  levelOf,
} from './fill.ts'

/** `npm run benchmark:preview`, see README.md. `--quick` only shows that it works. */
const quick = process.argv.includes('--quick')
const USERS = quick ? 200 : 10_000
const ROUNDS = quick ? 1 : 7
/** Of the service and PostgreSQL together, in milliseconds. */
const MOST = 2_000
const ADMIN = 'ada@acme.example'

const replace = (roleId: number, permissions: object[]) => ({
  op: 'replaceRolePermissions',
  roleId,
  permissions,
})

/** Each concerns all users and all permissions. */
const PREVIEWS: Record<string, object[]> = {
  'one role that everyone has loses everything': [replace(EVERYONE, [])],
  '50 roles change, and hardly two users have the same': OWN_ROLES.map((roleId) =>
    replace(
      roleId,
      PERMISSION_IDS.flatMap((permissionId) => {
        const level = levelOf(roleId, permissionId)
        if (level === 'edit') return []
        return [{ permissionId, accessLevel: level === 'view' ? 'edit' : 'view' }]
      })
    )
  ),
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'concierge-preview-'))
const issuer = await new TestIssuer().start()
const postgres = await startPostgres()
const settings = {
  IDP_ISSUER: issuer.url,
  IDP_AUDIENCE: AUDIENCE,
  SUPER_ADMINS: ADMIN,
  RATE_LIMIT_TOKEN: '0',
}
const file = join(folder, 'database.sqlite3')
const servers: [string, ForkedServer][] = [
  ['SQLite', await startConcierge({ ...settings, SQLITE_PATH: file })],
  [
    'PostgreSQL',
    await startConcierge({ ...settings, DB_CONNECTION: 'pg', DATABASE_URL: postgres.url }),
  ],
]
try {
  fillSqlite(file, USERS)
  await fillPostgres(postgres.url, USERS)
  const figures = []
  for (const [name, changes] of Object.entries(PREVIEWS)) {
    const samples: Sample[][] = servers.map(() => [])
    for (let done = 0; done <= ROUNDS; done++) {
      for (const [index, [, server]] of servers.entries()) {
        const sample = await measure(server, changes)
        // The first round warms up.
        if (done > 0) samples[index].push(sample)
      }
    }
    const totals = new Set(samples.flat().map(({ flips }) => flips))
    if (totals.size !== 1) throw new Error(`The databases find ${[...totals].join(' and ')} flips`)
    for (const [index, [database]] of servers.entries()) {
      const figure = figureOf(`${name}, ${database}`, samples[index])
      figures.push(figure)
      say(`${figure.name}: ${figure.total} ms`)
    }
  }
  const targets = figures.map(({ name, total }) => atMost(`${name}: CPU ms`, MOST, total))
  const table = figureTable(figures)
  for (const each of [table, targetTable(targets)]) say(`\n${markdownTable(each)}`)
  if (!quick) writeResults(import.meta.url, { targets, tables: [table], details: { USERS } })
} finally {
  for (const [, server] of servers) await server.stop()
  await postgres.stop()
  await issuer.stop()
  rmSync(folder, { recursive: true, force: true })
}

interface Sample {
  /** In milliseconds of CPU. */
  service: number
  database: number
  wall: number
  flips: number
}

async function measure(server: ForkedServer, changes: object[]): Promise<Sample> {
  const isPostgres = server === servers[1][1]
  const token = await issuer.token(ADMIN)
  const backends = isPostgres ? ((await backendsOf(postgres.url)) ?? []) : []
  const before = [cpuOf([server.pid]), cpuOf(backends)]
  const start = performance.now()
  const response = await fetch(`${server.url}/api/applications/${APPLICATION}/access/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` },
    body: JSON.stringify({ changes }),
  })
  const text = await response.text()
  const wall = performance.now() - start
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  // One that ended took its time with it.
  const after = new Set(isPostgres ? await backendsOf(postgres.url) : [])
  if (backends.some((pid) => !after.has(pid))) return measure(server, changes)
  const { total } = (JSON.parse(text) as { data: { total: number } }).data
  const [service, database] = [cpuOf([server.pid]) - before[0], cpuOf(backends) - before[1]]
  return { service: service / 1_000, database: database / 1_000, wall, flips: total }
}

/** Medians over the rounds. */
function figureOf(name: string, samples: Sample[]) {
  const totals = samples.map(({ service, database }) => service + database)
  const total = round(median(totals))
  return {
    name,
    flips: samples[0].flips,
    service: round(median(samples.map(({ service }) => service))),
    database: round(median(samples.map(({ database }) => database))),
    total,
    range: `${round(Math.min(...totals))} to ${round(Math.max(...totals))}`,
    wall: round(median(samples.map(({ wall }) => wall))),
  }
}

function figureTable(figures: ReturnType<typeof figureOf>[]): Table {
  const head = ['Preview', 'differences', 'service ms', 'database ms', 'together ms']
  return {
    head: [...head, 'lowest to highest', 'wall ms'],
    rows: figures.map(({ name, flips, service, database, total, range, wall }) => [
      name,
      flips,
      service,
      database,
      total,
      range,
      wall,
    ]),
  }
}
