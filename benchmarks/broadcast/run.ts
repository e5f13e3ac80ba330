import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#tests/world/free_port'
import { startPostgres } from '#tests/world/postgres'
import { median, round } from '../report/statistics.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { forkFile, forkSink, nextMessage, stop } from '../world/processes.ts'
import { writeResults } from '../report/results.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { type Target, atLeast, atMost } from '../report/targets.ts'
import type { PlainMail } from '../delivery/rendering.ts'
import { latencyWhile } from './latency.ts'
import type { PartCost } from './parts.ts'
import { mailSettings } from './settings.ts'
import type { Order } from './servers/worker.ts'

/** `npm run benchmark:broadcast`, see README.md. `--quick` does not save its figures. */
const quick = process.argv.includes('--quick')
const plan = quick
  ? { rounds: 1, mails: 100, people: 20_000, seconds: 2 }
  : { rounds: 5, mails: 1_000, people: 1_000_000, seconds: 15 }

const started = performance.now()
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) =>
  say(`${Math.round((performance.now() - started) / 1_000)} s  ${text}`)

const folder = mkdtempSync(join(tmpdir(), 'concierge-benchmark-'))
const fork = (file: string, settings: Record<string, string>) =>
  forkFile(new URL(file, import.meta.url), settings)
const endings = [async () => rmSync(folder, { recursive: true, force: true })]
const start = async (child: ChildProcess) => {
  endings.push(() => stop(child))
  const { port } = await nextMessage<{ port: number }>(child, 'ready')
  return { child, port }
}

try {
  const sink = await start(forkSink())
  const settings = mailSettings(sink.port)
  const plain = await start(fork('../delivery/servers/plain.ts', settings))
  const postgres = await startPostgres()
  endings.push(() => postgres.stop())
  const urls = new Map<ChildProcess, string>()
  const worker = async (place: Record<string, string>) => {
    const port = await freePort()
    const service = { ...settings, PORT: String(port), ...place }
    const { child } = await start(fork('servers/worker.ts', service))
    urls.set(child, `http://127.0.0.1:${port}`)
    return child
  }
  const places: [string, Record<string, string>][] = [
    ['SQLite', { SQLITE_PATH: join(folder, 'broadcast.sqlite3') }],
    ['PostgreSQL', { DB_CONNECTION: 'pg', DATABASE_URL: postgres.url }],
  ]
  const workers: [string, ChildProcess][] = []
  for (const [name, place] of places) workers.push([name, await worker(place)])
  const { mails } = await order<{ mails: PlainMail[] }>(workers[0][1], {
    kind: 'compose',
    count: 100,
  })
  plain.child.send({ kind: 'mails', mails })

  const ratios = new Map<string, number[]>()
  const costs = new Map<string, number[]>()
  for (let turn = 0; turn <= plan.rounds; turn++) {
    const own = await costOf(plain.child, plan.mails, () => sendPlain(plain.child))
    if (turn > 0) note(costs, 'plain', own)
    for (const [name, child] of workers) {
      const cost = await costOf(child, plan.mails, async () => {
        const { rows } = await order<PartCost>(child, { kind: 'send', people: plan.mails })
        if (rows !== plan.mails) throw new Error(`${rows} of ${plan.mails} were sent`)
      })
      if (turn === 0) continue
      note(costs, name, cost)
      note(ratios, name, own / cost)
    }
    report(`Round ${turn} of ${plan.rounds}`)
  }
  const targets: Target[] = []
  const mailTable: Table = {
    head: ['CPU per mail', 'µs', 'lowest to highest'],
    rows: [...costs].map(([name, all]) => [
      name === 'plain' ? 'plain nodemailer' : `broadcast, ${name}`,
      round(median(all)),
      `${round(Math.min(...all))} to ${round(Math.max(...all))}`,
    ]),
  }
  const latencyTable: Table = {
    head: ['Checks during a broadcast', 'p50 idle, ms', 'p99 idle', 'p50 busy', 'p99 busy'],
    rows: [],
  }
  const audienceTable: Table = {
    head: [
      'Audience',
      'recipients',
      'written per s',
      'claimed per s',
      'own MiB above idle',
      'mapped',
    ],
    rows: [],
  }
  for (const [name] of workers) {
    targets.push(
      atLeast(`${name}: mails per CPU-second to plain nodemailer`, 0.88, median(ratios.get(name)!))
    )
  }
  for (const [index, [name, child]] of workers.entries()) {
    const other = await worker({ ...places[index][1], SCENE_IS_MADE: 'yes' })
    for (const [way, asked] of [
      ['sent by a worker of its own', other],
      ['sent by the process that serves requests', child],
    ] as const) {
      const url = urls.get(asked)!
      await latencyWhile(url, pause(2_000))
      const idle = await latencyWhile(url, pause(plan.seconds * 1_000))
      const busy = await latencyWhile(url, sendFor(child, plan.seconds))
      latencyTable.rows.push([`${name}, ${way}`, idle.p50, idle.p99, busy.p50, busy.p99])
      targets.push(atMost(`${name}, ${way}: p99 of a check to idle`, 1.5, busy.p99 / idle.p99))
    }
    report(`Checks on ${name}`)
    await stop(other)
  }
  for (const [name, child] of workers) {
    await order(child, { kind: 'fill', people: plan.people })
    const expansion = await order<PartCost>(child, { kind: 'expand' })
    const claims = await order<PartCost>(child, { kind: 'claim' })
    const { rows, risen } = expansion
    report(`${rows} recipients on ${name}`)
    const perSecond = ({ rows: count, ms }: PartCost) => round((count * 1_000) / ms)
    const written = perSecond(expansion)
    audienceTable.rows.push([
      name,
      rows,
      written,
      perSecond(claims),
      round(risen.own, 1),
      round(risen.mapped, 1),
    ])
    if (name === 'PostgreSQL') {
      targets.push(atLeast(`${name}: recipients written down per second`, 20_000, written))
    }
    targets.push(atMost(`${name}: own MiB above idle with ${rows} recipients`, 60, risen.own))
  }
  const tables = [mailTable, latencyTable, audienceTable]
  for (const table of [...tables, targetTable(targets)]) say(`\n${markdownTable(table)}`)
  if (!quick) {
    const seconds = Math.round((performance.now() - started) / 1_000)
    const details = { plan, seconds, costs: Object.fromEntries(costs) }
    writeResults(import.meta.url, { targets, tables, details })
  }
} finally {
  for (const end of endings.reverse()) await end()
}

async function order<T>(child: ChildProcess, what: Order): Promise<T> {
  const message = nextMessage<{ result: T }>(child, 'done')
  child.send(what)
  return (await message).result
}

async function sendPlain(child: ChildProcess) {
  const sent = nextMessage(child, 'sent')
  child.send({ kind: 'send', batches: plan.mails / 100 })
  await sent
}

/** Broadcasts, one after the other, for so long. */
async function sendFor(child: ChildProcess, seconds: number) {
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) await order(child, { kind: 'send', people: 500 })
}

/** CPU time of the process per mail, in microseconds. */
async function costOf(child: ChildProcess, count: number, work: () => Promise<void>) {
  const before = cpuOf([child.pid!])
  await work()
  return (cpuOf([child.pid!]) - before) / count
}

function note(all: Map<string, number[]>, name: string, value: number) {
  all.set(name, [...(all.get(name) ?? []), value])
}
