import { startPostgres } from '#tests/world/postgres'
import { median, round } from '../report/statistics.ts'
import { writeResults } from '../report/results.ts'
import { type Table, markdownTable, targetTable } from '../report/table.ts'
import { atMost } from '../report/targets.ts'
import { startConcierge } from '../world/concierge.ts'
import { type Build, fill } from './fill.ts'
import { type Sample, requireComplete, samplePages } from './measure.ts'
import { QUESTIONS } from './questions.ts'

/**
 * `npm run benchmark:search`, see README.md. `--quick` only shows that it works, with a thousandth
 * of the rows, and writes nothing.
 */
const quick = process.argv.includes('--quick')
const SMALL = 1_000
const LARGE = quick ? 2_000 : 1_000_000
const ROUNDS = quick ? 1 : 5
const PAGES = quick ? 20 : 200
/** Of the service and PostgreSQL together, in microseconds. */
const MOST_PER_PAGE = 3_000

const started = performance.now()
const say = (text: string) => process.stdout.write(`${text}\n`)
const report = (text: string) =>
  say(`${String(Math.round((performance.now() - started) / 1_000)).padStart(4)} s  ${text}`)

interface World extends Awaited<ReturnType<typeof startWorld>> {
  users: number
}

async function startWorld(users: number) {
  const postgres = await startPostgres()
  const settings = { DB_CONNECTION: 'pg', DATABASE_URL: postgres.url }
  const server = await startConcierge(settings)
  const build: Build = await fill(postgres.url, users)
  report(`${users} users: built in ${build.seconds} s, ${build.megabytes} MiB`)
  const stop = async () => {
    await server.stop()
    await postgres.stop()
  }
  return { users, server, databaseUrl: postgres.url, build, stop }
}

const small = await startWorld(SMALL)
const large = await startWorld(LARGE)
const worlds: World[] = [small, large]
try {
  for (const world of worlds) {
    for (const question of QUESTIONS.filter(({ walks }) => walks)) {
      await requireComplete(world.server, question, question.expected(world.users, world.build))
    }
  }
  report('All searches are complete')
  const samples = new Map<string, Sample[]>()
  for (let done = 0; done < ROUNDS; done++) {
    for (const question of QUESTIONS) {
      for (const world of worlds) {
        const key = `${question.name}, ${world.users} users`
        samples.set(key, [...(samples.get(key) ?? []), await samplePages(world, question, PAGES)])
      }
    }
    report(`Round ${done + 1} of ${ROUNDS}`)
  }
  const figures = [...samples].map(([name, own]) => figureOf(name, own))
  const page = figures.find(({ name }) => name === `users, ${LARGE} users`)!
  const few = figures.find(({ name }) => name === `users, ${SMALL} users`)!
  const targets = [
    atMost('Page of 100 users: CPU µs in total', MOST_PER_PAGE, page.total),
    atMost('Page of 100 users: cost to that at 1,000 users', 1.2, page.total / few.total),
  ]
  const tables = [figureTable(figures), buildTable()]
  for (const table of [...tables, targetTable(targets)]) say(`\n${markdownTable(table)}`)
  if (!quick) writeResults(import.meta.url, { targets, tables })
} finally {
  for (const world of worlds) await world.stop()
}

type Figure = ReturnType<typeof figureOf>

/** Medians over the rounds. */
function figureOf(name: string, samples: Sample[]) {
  const totals = samples.map(({ service, database }) => service + database)
  return {
    name,
    service: round(median(samples.map(({ service }) => service))),
    database: round(median(samples.map(({ database }) => database))),
    total: round(median(totals)),
    lowest: round(Math.min(...totals)),
    highest: round(Math.max(...totals)),
  }
}

function figureTable(figures: Figure[]): Table {
  return {
    head: ['Page of', 'service µs', 'database µs', 'together µs', 'lowest to highest'],
    rows: figures.map(({ name, service, database, total, lowest, highest }) => [
      name,
      service,
      database,
      total,
      `${lowest} to ${highest}`,
    ]),
  }
}

function buildTable(): Table {
  return {
    head: ['World', 'seconds to fill', 'MiB', 'subjects'],
    rows: worlds.map(({ users, build }) => [
      `${users} users`,
      build.seconds,
      build.megabytes,
      build.subjects,
    ]),
  }
}
