import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunResult } from '../world/load.ts'
import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { fillSqlite } from '../world/fill.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { forkLoad, nextMessage, stop } from '../world/processes.ts'
import { Workload, applicationCode, emailOf, permissionCode } from '../world/workload.ts'
import { startConcierge } from '../world/concierge.ts'

/**
 * `npm run benchmark:decision-log`, see README.md. `--quick` only shows that it works, and writes
 * nothing.
 */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 1 : 7
const SECONDS = quick ? 1 : 4
const CONNECTIONS = 10
const USERS = 1_000
const QUESTIONS = 4_000
const TARGET = 1.25

const bodies = Array.from({ length: QUESTIONS }, (_, index) =>
  JSON.stringify({
    email: emailOf(index % USERS),
    app: applicationCode(index % 10),
    permission: permissionCode(index % 97),
  })
)

const folder = mkdtempSync(join(tmpdir(), 'concierge-decision-log-'))
const logFile = join(folder, 'decisions.log')
const VARIANTS = {
  off: {},
  all: { DECISION_LOG: 'all', DECISION_LOG_TARGET: logFile },
  masked: { DECISION_LOG: 'all', DECISION_LOG_TARGET: logFile, DECISION_LOG_MASK: 'email' },
  full: { DECISION_LOG: 'all', DECISION_LOG_TARGET: '/dev/full' },
}
type Variant = keyof typeof VARIANTS
const variants = Object.keys(VARIANTS) as Variant[]

const load = forkLoad()
await nextMessage(load, 'ready')
const servers = new Map<Variant, Awaited<ReturnType<typeof aServer>>>()
for (const variant of variants) servers.set(variant, await aServer(variant))

async function aServer(variant: Variant) {
  const path = join(folder, `${variant}.sqlite3`)
  const settings = { SQLITE_PATH: path, RATE_LIMIT_CHECK: '0', ...VARIANTS[variant] }
  const server = await startConcierge(settings)
  fillSqlite(path, new Workload(USERS))
  load.send({ kind: 'define', id: variant, url: server.url, path: '/api/check', bodies })
  return server
}

async function run(variant: Variant, seconds: number): Promise<number> {
  load.send({ kind: 'run', id: variant, connections: CONNECTIONS, seconds })
  const { answered, failed } = await nextMessage<RunResult>(load, 'result')
  if (failed > 0) throw new Error(`${failed} checks failed`)
  return answered
}

/** Microseconds of the service's CPU time per cached check, at full load. */
async function costOf(variant: Variant): Promise<number> {
  const { pid } = servers.get(variant)!
  const before = cpuOf([pid])
  const answered = await run(variant, SECONDS)
  return (cpuOf([pid]) - before) / answered
}

async function measure() {
  const costs = Object.fromEntries(variants.map((variant) => [variant, [] as number[]]))
  for (const variant of variants) await run(variant, 2)
  for (let done = 0; done < ROUNDS; done++) {
    const order = done % 2 === 0 ? variants : variants.toReversed()
    for (const variant of order) costs[variant].push(await costOf(variant))
    const figures = variants.map((variant) => costs[variant].at(-1)!.toFixed(1))
    process.stdout.write(`Round ${done + 1}: ${figures.join(', ')} µs\n`)
  }
  return costs
}

try {
  const costs = await measure()
  const ratioOf = (variant: Variant) =>
    round(median(costs[variant].map((cost, index) => cost / costs.off[index])), 2)
  const figures = variants.map((variant) => ({
    variant,
    microseconds: round(median(costs[variant]), 1),
    ratio: ratioOf(variant),
  }))
  const targets = [
    atMost('Cached check with a log of all decisions, to without', TARGET, ratioOf('all')),
  ]
  const logMiB = Math.round(statSync(logFile).size / 1_048_576)
  const table: Table = {
    head: ['Decision log', 'CPU µs per cached check', 'to off'],
    rows: figures.map(({ variant, microseconds, ratio }) => [variant, microseconds, ratio]),
  }
  const texts = [table, targetTable(targets)].map(markdownTable)
  process.stdout.write(`\n${texts.join('\n\n')}\n\nThe log has ${logMiB} MiB\n`)
  if (!quick) writeResults(import.meta.url, { targets, tables: [table], details: { ROUNDS } })
} finally {
  await stop(load)
  for (const server of servers.values()) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
