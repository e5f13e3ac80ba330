import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { startPostgres } from '#tests/world/postgres'
import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { type Target, atLeast, atMost } from '../report/targets.ts'
import { fillPostgres, fillSqlite } from '../world/fill.ts'
import type { Definition, RunResult } from '../world/load.ts'
import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { forkLoad, nextMessage, startNodeEcho, stop } from '../world/processes.ts'
import { Workload, applicationCode, emailOf, permissionCode } from '../world/workload.ts'
import { startConcierge } from '../world/concierge.ts'
import { READER, fillInboxes } from '../delivery/inbox_rows.ts'

/** `npm run benchmark:reads`, see README.md. `--quick` only shows that it works. */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 1 : 7
const SECONDS = quick ? 1 : 3
const WARM_UP_SECONDS = 2
const CONNECTIONS = 10
const USERS = 1_000
const MESSAGES = 1_000
const ADMINISTRATOR = 'admin@acme.example'
const USER = emailOf(1)

interface Candidate {
  id: string
  pid: number
  databaseUrl?: string
}

interface Cost {
  own: number
  database: number
}

const folder = mkdtempSync(join(tmpdir(), 'concierge-reads-'))
const endings = [async () => rmSync(folder, { recursive: true, force: true })]
const load = forkLoad()
endings.push(() => stop(load))
await nextMessage(load, 'ready')
const issuer = await new TestIssuer().start()
endings.push(() => issuer.stop())

/** The body of a check, for the floor too. */
const questions = Array.from({ length: 500 }, (_, index) =>
  JSON.stringify({ app: applicationCode(index % 10), permission: permissionCode(index % 97) })
)

async function candidates(): Promise<Candidate[]> {
  const echo = await startNodeEcho()
  endings.push(() => echo.stop())
  define({ id: 'node', url: echo.url, path: '/', bodies: questions })
  return [{ id: 'node', pid: echo.pid }, ...(await onSqlite()), ...(await onPostgres())]
}

async function onSqlite() {
  const path = join(folder, 'reads.sqlite3')
  const server = await startConcierge({ ...settings(), SQLITE_PATH: path })
  endings.push(() => server.stop())
  fillSqlite(path, new Workload(USERS))
  await fillInboxes({ file: path }, MESSAGES)
  return readsOf(server, 'SQLite')
}

async function onPostgres() {
  const postgres = await startPostgres()
  endings.push(() => postgres.stop())
  const { url } = postgres
  const server = await startConcierge({ ...settings(), DB_CONNECTION: 'pg', DATABASE_URL: url })
  endings.push(() => server.stop())
  await fillPostgres(url, new Workload(USERS))
  await fillInboxes({ databaseUrl: url }, MESSAGES)
  return readsOf(server, 'PostgreSQL', url)
}

const settings = () => ({
  IDP_ISSUER: issuer.url,
  IDP_AUDIENCE: AUDIENCE,
  SUPER_ADMINS: ADMINISTRATOR,
  RATE_LIMIT_TOKEN: '0',
})

async function readsOf(
  { url, pid }: { url: string; pid: number },
  database: string,
  databaseUrl?: string
) {
  const [user, reader, administrator] = await Promise.all(
    [USER, READER, ADMINISTRATOR].map(async (email) => ({
      authorization: `Bearer ${await issuer.token(email)}`,
    }))
  )
  const inbox = '/api/profile/me/notifications/inbox'
  const permissions = `/api/applications/${applicationCode(1)}/permissions`
  const reads = [
    ['own check, cached', '/api/profile/me/check', user, questions],
    ['inbox page of 40', `${inbox}?limit=40`, reader, []],
    ['unread count', `${inbox}/unread-count`, reader, []],
    ['own profile', '/api/profile/me', user, []],
    ['100 permissions', permissions, administrator, []],
  ] as const
  return reads.map(([name, path, headers, bodies]) => {
    const id = `${name}, ${database}`
    define({ id, url, path, bodies: [...bodies], headers })
    return { id, pid, databaseUrl }
  })
}

function define(definition: Omit<Definition, 'kind'>) {
  load.send({ kind: 'define', ...definition } satisfies Definition)
}

async function run(id: string, seconds: number): Promise<number> {
  load.send({ kind: 'run', id, connections: CONNECTIONS, seconds })
  const { answered, failed } = await nextMessage<RunResult>(load, 'result')
  if (failed > 0 || answered === 0) throw new Error(`${id}: ${failed} requests failed`)
  return answered
}

/** Microseconds of CPU time per request. */
async function costOf({ id, pid, databaseUrl }: Candidate): Promise<Cost> {
  const backends = databaseUrl === undefined ? [] : ((await backendsOf(databaseUrl)) ?? [])
  const [own, database] = [cpuOf([pid]), cpuOf(backends)]
  const answered = await run(id, SECONDS)
  return { own: (cpuOf([pid]) - own) / answered, database: (cpuOf(backends) - database) / answered }
}

async function measure(all: Candidate[]) {
  const costs = new Map<string, Cost[]>(all.map(({ id }) => [id, []]))
  for (const { id } of all) await run(id, WARM_UP_SECONDS)
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const candidate of turn % 2 === 0 ? all : all.toReversed()) {
      costs.get(candidate.id)!.push(await costOf(candidate))
    }
    process.stdout.write(`Round ${turn + 1} of ${ROUNDS}\n`)
  }
  return costs
}

/** At most so many microseconds, or at least this speed of the echo. */
const TARGETS: Record<string, { speed: number } | { cost: number }> = {
  'own check, cached': { speed: 0.55 },
  'inbox page of 40': { cost: 500 },
  'unread count': { cost: 250 },
  'own profile': { cost: 250 },
  '100 permissions': { cost: 600 },
}

function figuresOf(costs: Map<string, Cost[]>) {
  const floor = costs.get('node')!
  return [...costs].map(([id, all]) => {
    const own = all.map((cost) => cost.own)
    const cost = round(median(own), 1)
    const speed = round(median(own.map((one, turn) => floor[turn].own / one)), 2)
    return {
      read: id,
      cost,
      range: `${round(Math.min(...own), 1)} to ${round(Math.max(...own), 1)}`,
      database: round(median(all.map(({ database }) => database)), 1),
      speed,
    }
  })
}

function targetsOf(figures: ReturnType<typeof figuresOf>): Target[] {
  return figures.flatMap(({ read, cost, speed }) => {
    const target = TARGETS[read.replace(/, (?:SQLite|PostgreSQL)$/, '')]
    if (target === undefined) return []
    return 'speed' in target
      ? atLeast(`${read}: to node:http (speed)`, target.speed, speed)
      : atMost(`${read}: CPU µs`, target.cost, cost)
  })
}

try {
  const figures = figuresOf(await measure(await candidates()))
  const targets = targetsOf(figures)
  const table: Table = {
    head: ['Read', 'CPU µs', 'lowest to highest', 'database CPU µs', 'speed to node:http'],
    rows: figures.map(({ read, cost, range, database, speed }) => [
      read,
      cost,
      range,
      database,
      speed,
    ]),
  }
  for (const each of [table, targetTable(targets)]) {
    process.stdout.write(`\n${markdownTable(each)}\n`)
  }
  if (!quick) writeResults(import.meta.url, { targets, tables: [table], details: { ROUNDS } })
} finally {
  for (const end of endings.reverse()) await end()
}
process.exit(0)
