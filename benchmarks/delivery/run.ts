import { median, round } from '../report/statistics.ts'
import { nextMessage } from '../world/processes.ts'
import { writeResults } from '../report/results.ts'
import { markdownTable, targetTable } from '../report/table.ts'
import { READER, fillInboxes } from './inbox_rows.ts'
import {
  type Cost,
  FIRST_PAGE,
  costOfBulks,
  costOfInbox,
  costOfPlain,
  costOfSingles,
  deepPage,
  sizes,
} from './measure.ts'
import type { PlainMail } from './rendering.ts'
import { BULK } from './requests.ts'
import type { Order } from './servers/concierge.ts'
import { costTable } from './table.ts'
import { targetsOf } from './targets.ts'
import { type Service, type World, startWorld } from './world.ts'

/**
 * `npm run benchmark:delivery`, see README.md. `--quick` only shows that it works: its figures are
 * rough and not saved.
 */
const quick = process.argv.includes('--quick')
const FULL = { rounds: 5, batches: 8, singles: 500, pages: 300, rows: 1_000_000, deep: 50 }
const QUICK = { rounds: 1, batches: 2, singles: 50, pages: 30, rows: 20_000, deep: 2 }
const FEW_ROWS = 1_000
const PREPARED = { count: BULK, repeats: 50 }

const plan = quick ? QUICK : FULL
const started = performance.now()
const elapsed = () => Math.round((performance.now() - started) / 1_000)
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) => say(`${String(elapsed()).padStart(3)} s  ${text}`)

const costs = new Map<string, Cost[]>()
const add = (name: string, cost: Cost) => costs.set(name, [...(costs.get(name) ?? []), cost])

report('Starting')
const world = await startWorld()
try {
  await shareMails(world)
  report('Sending')
  const small = world.services.filter(({ large }) => !large)
  await measureSending(small)
  for (const { database, child } of small) {
    child.send({ kind: 'prepare', ...PREPARED } satisfies Order)
    const { cost } = await nextMessage<{ cost: Record<string, number> }>(child, 'prepared')
    for (const [part, own] of Object.entries(cost)) {
      add(`${part}, ${database}`, { own, database: 0 })
    }
  }
  await measureInboxes()
  const figures = [...costs].map(([name, all]) => figureOf(name, all))
  const targets = targetsOf(costs)
  const table = costTable(figures)
  say(`\n${markdownTable(table)}\n\n${markdownTable(targetTable(targets))}\n`)
  const bytesPerMail = { least: Math.min(...sizes), most: Math.max(...sizes) }
  say(`Mails of ${bytesPerMail.least} to ${bytesPerMail.most} bytes on average. ${elapsed()} s`)
  if (!quick) {
    const details = { plan, seconds: elapsed(), bytesPerMail }
    writeResults(import.meta.url, { targets, tables: [table], details })
  }
} finally {
  await world.stop()
}

/** What plain nodemailer sends is what the service would. */
async function shareMails({ services, plain }: World) {
  const [{ child }] = services
  child.send({ kind: 'compose', count: BULK } satisfies Order)
  const { mails } = await nextMessage<{ mails: PlainMail[] }>(child, 'composed')
  plain.send({ kind: 'mails', mails })
}

/** In rounds, so that other work on the machine affects all; the first one only warms up. */
async function measureSending(services: Service[]) {
  for (let turn = 0; turn <= plan.rounds; turn++) {
    const measured: [string, Cost][] = [['plain', await costOfPlain(world, plan.batches)]]
    for (const service of services) {
      const { database } = service
      measured.push([`bulk, ${database}`, await costOfBulks(world, service, plan.batches)])
      measured.push([`single, ${database}`, await costOfSingles(world, service, plan.singles)])
    }
    if (turn > 0) for (const [name, cost] of measured) add(name, cost)
    report(`Round ${turn} of ${plan.rounds}`)
  }
}

async function measureInboxes() {
  const token = await world.issuer.token(READER)
  const readings = []
  for (const service of world.services) {
    const rows = service.large ? plan.rows : FEW_ROWS
    await fillInboxes(service, rows)
    report(`${rows} messages on ${service.database}`)
    const name = `inbox, ${service.database}, ${service.large ? 'many' : 'few'}`
    readings.push({ service, name, path: FIRST_PAGE })
    if (!service.large) continue
    const path = await deepPage(service, token, plan.deep)
    readings.push({ service, name: `${name}, deep`, path })
  }
  for (let turn = 0; turn <= plan.rounds; turn++) {
    for (const { service, name, path } of readings) {
      const cost = await costOfInbox(service, token, path, plan.pages)
      if (turn > 0) add(name, cost)
    }
  }
}

function figureOf(name: string, all: Cost[]) {
  const own = all.map((cost) => cost.own)
  return {
    name,
    cpu: round(median(own), 1),
    lowest: round(Math.min(...own), 1),
    highest: round(Math.max(...own), 1),
    databaseCpu: round(median(all.map(({ database }) => database)), 1),
    perCpuSecond: round(1_000_000 / median(own)),
  }
}
