import { writeResults } from '../report/results.ts'
import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { combinationsOf } from './combinations.ts'
import { type Build, fillEntries, timeOf } from './entries.ts'
import {
  type Cost,
  DATABASES,
  type Database,
  type Service,
  World,
  costOf,
  costOfEach,
} from './world.ts'
import { prepareWrites } from './writes.ts'

/**
 * `npm run benchmark:audit`, see README.md. `--quick` only shows that it works, with few rows, and
 * writes nothing.
 */
const quick = process.argv.includes('--quick')
const plan = quick
  ? { rounds: 1, writes: 50, pages: 10, repeats: 1, few: 1_000, many: 20_000 }
  : { rounds: 3, writes: 200, pages: 100, repeats: 1, few: 10_000, many: 10_000_000 }
/** One of them with `--SQLite` or `--PostgreSQL`. */
const chosen = DATABASES.filter((database) => process.argv.includes(`--${database}`))
const databases = chosen.length > 0 ? chosen : DATABASES
const sizes: [string, string] = [`${plan.few} entries`, `${plan.many} entries`]
const MOST_ADDED = 1.15
const MOST_GROWTH = 1.2
/** Of a page with any combination of filters. */
const MOST_MS = 100

const started = performance.now()
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) =>
  say(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${text}`)

interface Comparison {
  name: string
  /** Medians over the rounds, of the service and PostgreSQL together, in microseconds. */
  base: number
  other: number
  /** The median of the ratios within the rounds. */
  ratio: number
  lowest: number
  highest: number
}

type Pair = Record<'base' | 'other', Cost>

const total = ({ service, database }: Cost) => service + database

function compare(name: string, pairs: Pair[]): Comparison {
  const ratios = pairs.map(({ base, other }) => total(other) / total(base))
  return {
    name,
    base: round(median(pairs.map(({ base }) => total(base)))),
    other: round(median(pairs.map(({ other }) => total(other)))),
    ratio: round(median(ratios), 2),
    lowest: round(Math.min(...ratios), 2),
    highest: round(Math.max(...ratios), 2),
  }
}

/** In rounds, so that other work on the machine affects both; the first one only warms up. */
async function inRounds(names: string[], measure: (name: string, turn: number) => Promise<Pair>) {
  const pairs = new Map<string, Pair[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn <= plan.rounds; turn++) {
    for (const name of names) {
      const pair = await measure(name, turn)
      if (turn > 0) pairs.get(name)!.push(pair)
    }
    report(`Round ${turn} of ${plan.rounds}`)
  }
  return [...pairs].map(([name, all]) => compare(name, all))
}

async function inTurns(turn: number, base: () => Promise<Cost>, other: () => Promise<Cost>) {
  if (turn % 2 === 0) return { base: await base(), other: await other() }
  const last = await other()
  return { base: await base(), other: last }
}

/** Writing requests with the audit trail, compared with those of a service that records nothing. */
async function measureWrites(world: World) {
  const comparisons: Comparison[] = []
  for (const database of databases) {
    const without = await world.service(database, { WITHOUT_AUDIT: 'true' })
    const withAudit = await world.service(database)
    const [base, other] = [await prepareWrites(without), await prepareWrites(withAudit)]
    const names = Object.keys(base) as (keyof typeof base)[]
    const found = await inRounds(names, async (name) => {
      const key = name as keyof typeof base
      const subjects = [
        { service: without, request: base[key] },
        { service: withAudit, request: other[key] },
      ]
      const [first, second] = await costOfEach(subjects, plan.writes, { settles: true })
      return { base: first, other: second }
    })
    await requireRecorded(withAudit, without)
    comparisons.push(...found.map((each) => ({ ...each, name: `${each.name}, ${database}` })))
    say(`\n${markdownTable(writeTable(comparisons))}\n`)
  }
  return comparisons
}

/** @throws Error unless one has entries with their places in the chain, and the other none */
async function requireRecorded(withAudit: Service, without: Service) {
  const path = '/admin/audit?application=shop&limit=1'
  const [entry] = (await withAudit.send('GET', path)) as { sequence: number | null }[]
  const none = (await without.send('GET', path)) as unknown[]
  if (entry.sequence === null || none.length > 0) throw new Error('Not what is to be compared')
}

/** By what the list is narrowed to. */
function pagesOf(count: number) {
  const half = timeOf(Math.round(count / 2))
  return {
    'everything': '',
    'an application': 'application=app-7',
    'an application, long ago': 'application=rare',
    'an actor': 'actor=admin7%40acme.example',
    'an actor, long ago': 'actor=rare%40acme.example',
    'a kind of actor': 'actorKind=command',
    'an action': 'action=user.roles_replaced',
    'an action, long ago': 'action=brand.created',
    'a kind of target': 'targetKind=role',
    'a target': 'targetKind=role&targetId=7',
    'a user': `email=user7%40acme.example`,
    'a user, long ago': 'email=gone%40acme.example',
    'since half of the time': `from=${half}`,
    'until half of the time': `to=${half}`,
    'until the beginning': `to=${timeOf(200)}`,
    'an application, until half of the time': `application=app-7&to=${half}`,
    'an actor in an application': 'application=app-7&actor=admin73%40acme.example',
  }
}

interface Slowest {
  database: Database
  combinations: number
  /** CPU time in milliseconds. */
  median: number
  highest: number
  name: string
}

/** Pages that are narrowed in every way that there is. */
async function measureCombinations(service: Service): Promise<Slowest> {
  const combinations = combinationsOf(plan.many)
  const costs: { name: string; ms: number }[] = []
  for (const { name, query } of combinations) {
    const read = () => service.send('GET', `/admin/audit?limit=50&${query}`)
    await read()
    costs.push({ name, ms: total(await costOf(service, plan.repeats, read)) / 1_000 })
  }
  const sorted = costs.toSorted((one, other) => other.ms - one.ms)
  for (const { name, ms } of sorted.slice(0, 10)) report(`${round(ms, 1)} ms ${name}`)
  const [{ name, ms }] = sorted
  return {
    database: service.database,
    combinations: costs.length,
    median: round(median(costs.map((cost) => cost.ms)), 1),
    highest: round(ms, 1),
    name,
  }
}

/** Longer than any page that reads no more than its entries. */
const SLOW_MS = 150
const SLOW_PAGES = 3

async function costOfPages(service: Service, query: string): Promise<Cost> {
  const read = () => service.send('GET', `/admin/audit?limit=50&${query}`)
  try {
    const start = performance.now()
    await read()
    const isSlow = performance.now() - start > SLOW_MS
    return await costOf(service, isSlow ? SLOW_PAGES : plan.pages, read)
  } catch {
    // It took longer than a statement may.
    return { service: Infinity, database: Infinity }
  }
}

/** Pages of the list, with few entries and with many. */
async function measurePages(world: World) {
  const comparisons: Comparison[] = []
  const builds: (Build & { name: string })[] = []
  const slowest: Slowest[] = []
  for (const database of databases) {
    const [few, many] = [await world.service(database), await world.service(database)]
    for (const [service, count] of [
      [few, plan.few],
      [many, plan.many],
    ] as const) {
      const build = await fillEntries(service, count)
      builds.push({ name: `${count} entries, ${database}`, ...build })
      report(`${count} entries on ${database}: ${build.seconds} s, ${build.megabytes} MiB`)
    }
    const [base, other] = [pagesOf(plan.few), pagesOf(plan.many)]
    const found = await inRounds(Object.keys(base), (name, turn) => {
      const key = name as keyof typeof base
      return inTurns(
        turn,
        () => costOfPages(few, base[key]),
        () => costOfPages(many, other[key])
      )
    })
    comparisons.push(...found.map((each) => ({ ...each, name: `${each.name}, ${database}` })))
    say(`\n${markdownTable(pageTable(comparisons))}\n`)
    slowest.push(await measureCombinations(many))
  }
  say(`\n${markdownTable(combinationTable(slowest))}\n`)
  return { comparisons, builds, slowest }
}

const writeTable = (rows: Comparison[]) => comparisonTable('Change of', ['without', 'with'], rows)
const pageTable = (rows: Comparison[]) => comparisonTable('Page of', sizes, rows)

const comparisonTable = (title: string, names: [string, string], rows: Comparison[]): Table => ({
  head: [title, ...names.map((name) => `${name}, µs`), 'ratio', 'lowest to highest'],
  rows: rows.map(({ name, base, other, ratio, lowest, highest }) => [
    name,
    base,
    other,
    ratio,
    `${lowest} to ${highest}`,
  ]),
})

const combinationTable = (rows: Slowest[]): Table => ({
  head: ['Database', 'combinations of filters', 'median, ms', 'highest, ms', 'of'],
  rows: rows.map((row) => Object.values(row)),
})

const world = await new World().start()
try {
  const writes = process.argv.includes('--pages') ? [] : await measureWrites(world)
  const found = process.argv.includes('--writes') ? null : await measurePages(world)
  const {
    comparisons: pages,
    builds,
    slowest,
  } = found ?? { comparisons: [], builds: [], slowest: [] }
  if (!quick && writes.length > 0 && pages.length > 0) {
    const targets = [
      ...writes.map(({ name, ratio }) =>
        atMost(`Change of ${name}: to without the trail`, MOST_ADDED, ratio)
      ),
      ...pages.map(({ name, ratio }) =>
        atMost(`Page of ${name}: to that with few entries`, MOST_GROWTH, ratio)
      ),
      ...slowest.map(({ database, highest }) =>
        atMost(`Page with any combination of filters, ${database}, ms`, MOST_MS, highest)
      ),
    ]
    const tables = [writeTable(writes), pageTable(pages), combinationTable(slowest)]
    writeResults(import.meta.url, { targets, tables, details: { plan, builds } })
  }
} finally {
  await world.stop()
}
