import { median, round } from '../report/statistics.ts'
import { type Table, markdownTable } from '../report/table.ts'
import { combinationsOf } from './combinations.ts'
import {
  type Comparison,
  comparisonTable,
  databases,
  inRounds,
  plan,
  report,
  say,
  total,
} from './comparison.ts'
import { type Build, fillEntries, timeOf } from './entries.ts'
import { type Cost, type Database, type Service, type World, costOf } from './world.ts'

const sizes: [string, string] = [`${plan.few} entries`, `${plan.many} entries`]

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
    costs.push({ name, ms: total(await costOf(service, 1, read)) / 1_000 })
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

async function inTurns(turn: number, base: () => Promise<Cost>, other: () => Promise<Cost>) {
  if (turn % 2 === 0) return { base: await base(), other: await other() }
  const last = await other()
  return { base: await base(), other: last }
}

/** Pages of the list, with few entries and with many. */
export async function measurePages(world: World) {
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

export const pageTable = (rows: Comparison[]) => comparisonTable('Page of', sizes, rows)

export const combinationTable = (rows: Slowest[]): Table => ({
  head: ['Database', 'combinations of filters', 'median, ms', 'highest, ms', 'of'],
  rows: rows.map((row) => Object.values(row)),
})
